/** The example as its README says: the published buyer against the paid route, on the whole service. */
import { spawn, execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import test from 'ava'
import { startPayingService } from '../support/x402/paying-service.ts'
import { SELLER } from '../support/x402/payments.ts'

const example = join(import.meta.dirname, '../../examples/x402')
const CENT = 10_000n

test('the example: a cent for the weather, paid once', async (t) => {
  const paying = await startPayingService()
  t.teardown(() => paying.dispose())
  const devJson = join(paying.service.dataDir, 'dev.json')
  const shop = spawn(process.execPath, [join(example, 'seller.ts'), devJson], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => shop.kill())
  const url = await new Promise<string>((resolve) => createInterface(shop.stdout).once('line', resolve))

  const unpaid = await fetch(url)
  t.is(unpaid.status, 402)
  const { accepts } = (await unpaid.json()) as { accepts: object[] }
  t.like(accepts[0], { scheme: 'exact', maxAmountRequired: String(CENT), resource: url, payTo: SELLER })

  // Where `npm install` would have put its packages.
  const folder = mkdtempSync(join(tmpdir(), 'ks-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  copyFileSync(join(example, 'buyer.mjs'), join(folder, 'buyer.mjs'))
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'buyer.mjs'), url, devJson])
  t.true(stdout.includes("200 { weather: 'sunny' }"), stdout)
  t.true(stdout.includes('success: true'), stdout)
  t.is(await paying.balance(SELLER), CENT)
})
