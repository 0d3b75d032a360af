/** Random Tron transactions made by TronWeb's protobuf classes, whole and broken: what we accept, they read the same. */
import test from 'ava'
import 'tronweb'
import { tronContracts } from '../../signer-core/gate/transactions/tron-contracts.ts'
import { bytesToHex } from '../../signer-core/protocol/bytes.ts'
import { fuzzCount, seedOfRun, SeededRandom } from '../support/seeded-random.ts'
import { brokenInput, hex } from '../support/transactions.ts'
import { base58check, OWNER, parse, txOf } from '../support/tron-messages.ts'

const TRANSACTIONS = 1_000

/** As TronWeb's generated classes are used here; it has no declarations for them. */
interface Message {
  serializeBinary(): Uint8Array
  toObject(): Record<string, unknown>
}
interface MessageClass {
  // oxlint-disable-next-line no-explicit-any -- one setter for each field
  new (): Message & Record<`${'set' | 'add'}${string}`, (...value: any[]) => void>
  deserializeBinary(bytes: Uint8Array): Message
}
interface RawTransaction extends Message {
  getContractList(): { getParameter(): { getValue_asU8(): Uint8Array; getTypeUrl(): string } }[]
}
type Classes = Record<string, MessageClass> & {
  Transaction: { raw: MessageClass; Contract: MessageClass }
  Vote: never
}
const classes = (globalThis as unknown as { TronWebProto: Classes }).TronWebProto
const { raw: Raw, Contract } = classes.Transaction
const { Vote } = classes.VoteWitnessContract as unknown as { Vote: MessageClass }
/** google.protobuf.Any: its class has no name here, but the parameter of a contract (field 2, empty) is one. */
const Any = (Contract.deserializeBinary(hex('1200')) as unknown as { getParameter(): object }).getParameter()
  .constructor as MessageClass

type Facts = Record<string, unknown>
function ours(bytes: Uint8Array): Facts | undefined {
  try {
    return txOf(parse(bytes))
  } catch {
    return undefined
  }
}

const resources = ['BANDWIDTH', 'ENERGY', 'TRON_POWER']
/** Of the generated classes, where it is another than the .proto name in camel case. */
const theirNames: Record<string, string> = { account_type: 'type', votes: 'votesList' }

/** Their value of a field, in the form that ours has: bytes are base64 in theirs. */
function likeOurs(name: string, value: unknown, known: unknown): unknown {
  if (Array.isArray(value)) return value.map((each, i) => allLikeOurs(each as Facts, (known as Facts[])[i] as Facts))
  if (name === 'resource') return resources[value as number]
  if (name.endsWith('_address')) return base58check.encode(Buffer.from(value as string, 'base64'))
  if (name === 'asset_name') return Buffer.from(value as string, 'base64').toString('latin1')
  if (typeof value === 'string') return Buffer.from(value, 'base64').toString('hex')
  return typeof known === 'string' ? String(value) : value
}

function allLikeOurs(theirs: Facts, known: Facts): Facts {
  const names = Object.keys(known)
  const camel = (name: string) =>
    theirNames[name] ?? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(names.map((name) => [name, likeOurs(name, theirs[camel(name)], known[name])]))
}

/** Numbers that a double keeps; the classes keep 64 bits in one. */
function isSafe(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isSafe)
  return typeof value !== 'string' || !/^\d{16,}$/.test(value) || Number.isSafeInteger(Number(value))
}

/** How the classes' setters are called with random values; what is named twice is another value each time. */
function randomContract(type: number, random: SeededRandom): Message {
  const address = () => Uint8Array.of(0x41, ...random.bytes(20))
  const amount = () => random.pick([0, 1, 127, 128, random.below(2 ** 32), Number.MAX_SAFE_INTEGER])
  const name = tronContracts[type]?.name ?? ''
  const message = new (classes[name] as MessageClass)()
  message.setOwnerAddress?.(OWNER)
  for (const setter of ['setAccountAddress', 'setToAddress', 'setContractAddress', 'setReceiverAddress'] as const)
    message[setter]?.(address())
  const amounts = ['setAmount', 'setCallValue', 'setCallTokenValue', 'setTokenId', 'setFrozenBalance'] as const
  for (const setter of [...amounts, 'setUnfreezeBalance', 'setBalance', 'setLockPeriod'] as const)
    message[setter]?.(amount())
  message.setAssetName?.(Buffer.from(String(1_000_000 + random.below(100_000))))
  message.setData?.(random.bytes(random.below(100)))
  message.setResource?.(
    random.below(name === 'DelegateResourceContract' || name === 'UnDelegateResourceContract' ? 2 : 3),
  )
  message.setLock?.(random.below(2) === 1)
  message.setSupport?.(random.below(2) === 1)
  for (let votes = message.addVotes === undefined ? 0 : 1 + random.below(4); votes > 0; votes--) {
    const vote = new Vote()
    vote.setVoteAddress?.(address())
    vote.setVoteCount?.(amount())
    message.addVotes?.(vote)
  }
  return message
}

function randomTransaction(random: SeededRandom): { bytes: Uint8Array; name: string } {
  const type = Number(random.pick(Object.keys(tronContracts)))
  const name = tronContracts[type]?.name ?? ''
  const parameter = new Any()
  parameter.setTypeUrl?.(`type.googleapis.com/protocol.${name}`)
  parameter.setValue?.(randomContract(type, random).serializeBinary())
  const contract = new Contract()
  contract.setType?.(type)
  contract.setParameter?.(parameter)
  contract.setPermissionId?.(random.below(4))
  const raw = new Raw()
  raw.setRefBlockBytes?.(random.bytes(2))
  raw.setRefBlockHash?.(random.bytes(8))
  raw.setExpiration?.(1 + random.below(2 ** 31))
  raw.setTimestamp?.(random.below(2 ** 31))
  raw.setFeeLimit?.(random.below(2 ** 31))
  raw.setData?.(random.bytes(random.below(20)))
  raw.addContract?.(contract)
  return { bytes: raw.serializeBinary(), name }
}

test('random transactions, whole and broken: TronWeb’s classes read the same and write the same bytes', (t) => {
  const seed = seedOfRun()
  const random = new SeededRandom(seed)
  const counts = { whole: 0, broken: 0, accepted: 0, unsafe: 0 }
  const kinds = new Set<string>()
  const compare = (bytes: Uint8Array, { contract, ...facts }: Facts) => {
    const text = `seed ${seed}: ${bytesToHex(bytes)}`
    const read = Raw.deserializeBinary(bytes) as RawTransaction
    t.is(bytesToHex(read.serializeBinary()), bytesToHex(bytes))
    t.deepEqual(allLikeOurs(read.toObject(), facts), facts, text)
    const [{ type, permission_id, ...parameters }] = contract as [Facts]
    const [theirs, ...more] = read.getContractList()
    if (theirs === undefined || more.length > 0) return t.fail(text)
    t.is(theirs.getParameter().getTypeUrl(), `type.googleapis.com/protocol.${String(type)}`)
    const inner = (classes[type as string] as MessageClass).deserializeBinary(theirs.getParameter().getValue_asU8())
    t.deepEqual(allLikeOurs(inner.toObject(), parameters), parameters, text)
    t.is((theirs as unknown as { getPermissionId(): unknown }).getPermissionId(), permission_id)
  }
  for (let i = 0; i < fuzzCount(TRANSACTIONS); i++) {
    const { bytes: whole, name } = randomTransaction(random)
    const facts = ours(whole)
    if (facts === undefined) return t.fail(`seed ${seed}: ${name} refused ${bytesToHex(whole)}`)
    compare(whole, facts)
    kinds.add(name)
    counts.whole++
    for (let faults = 0; faults < 5; faults++) {
      const broken = brokenInput([whole], (limit) => random.below(limit))
      counts.broken++
      const accepted = ours(broken)
      if (accepted === undefined) continue
      if (!isSafe(accepted)) {
        counts.unsafe++
        continue
      }
      counts.accepted++
      compare(broken, accepted)
    }
  }
  t.log(`seed ${seed}: ${JSON.stringify(counts)}, ${kinds.size} kinds`)
  t.is(kinds.size, Object.keys(tronContracts).length)
  t.true(counts.accepted > counts.broken * 0.03)
})
