import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import java.util.Set;

/**
 * A stand-in for mongod where none is installed: mongo-java-server on a file. Two things are added to it. What a
 * write has changed is in the file before the answer leaves, so that SIGKILL loses nothing that was acknowledged.
 * And it says that it is MongoDB 4.4, the oldest that the driver speaks to; it has what the store port needs of it.
 *
 * Arguments: port, path of the file. Runs by `java -cp JARS DurableServer.java PORT FILE`.
 */
public class DurableServer extends H2Backend {
    private static final Set<String> WRITES =
        Set.of("insert", "update", "delete", "findAndModify", "createIndexes", "dropIndexes", "create", "drop", "dropDatabase");

    private DurableServer(String file) {
        super(file);
        version(new MongoVersion() {
            @Override
            public List<Integer> getVersionArray() {
                return List.of(4, 4, 0, 0);
            }

            @Override
            public int getWireVersion() {
                return 9;
            }
        });
    }

    @Override
    public Document handleMessage(MongoMessage message) {
        if (!WRITES.contains(message.getDocument().keySet().iterator().next())) return super.handleMessage(message);
        // One after the other: a commit must not meet another write between an index and its document.
        synchronized (this) {
            Document answer = super.handleMessage(message);
            commit();
            return answer;
        }
    }

    public static void main(String[] arguments) {
        DurableServer backend = new DurableServer(arguments[1]);
        // Written when we say so, and not once more by a thread in the background.
        backend.getMvStore().setAutoCommitDelay(0);
        MongoServer server = new MongoServer(backend);
        server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        System.out.println("ready");
    }
}
