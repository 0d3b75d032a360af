/**
 * A route that costs a cent. `node seller.ts [dev.json]` with Keystead running; prints where it listens. The payee is
 * any address: nobody needs a key to be paid.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Koa from 'koa'
import { seller } from '../../plugins/x402/seller/seller.ts'

const PAYEE = '0x00000000000000000000000000000000005e11e7'
/** Of 6 decimals: one cent. */
const AMOUNT = '10000'

interface DevJson {
  x402: { facilitatorUrl: string; network: string; asset: string; name: string; version: string }
}
const path = process.argv[2] ?? join(import.meta.dirname, '../../data/dev.json')
const { x402 } = JSON.parse(readFileSync(path, 'utf8')) as DevJson

const app = new Koa()
app.use(
  seller({
    facilitatorUrl: x402.facilitatorUrl,
    price: {
      amount: AMOUNT,
      asset: x402.asset,
      domain: { name: x402.name, version: x402.version },
      network: x402.network,
      payTo: PAYEE,
      description: 'the weather',
    },
  }),
)
app.use((context) => {
  context.body = { weather: 'sunny' }
})
const server = app.listen(Number(process.env['PORT'] ?? 4021), '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : ''}/weather`)
})
