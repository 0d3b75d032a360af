/** Which servers the machine can give the tests, and what becomes of a suite whose server is missing. */
import type { TestFn } from 'ava'
import { mongodbMissing } from './mongodb-server.ts'
import { redisMissing } from './redis-server.ts'

export type ServerName = 'mongodb' | 'redis'

const missing: Record<ServerName, () => string | undefined> = { mongodb: mongodbMissing, redis: redisMissing }

/**
 * Whether all of these can be had. Where one cannot, its suite is skipped with a loud word, or fails when
 * `KEYSTEAD_TEST_REQUIRE` names the server: `mongodb,redis`.
 * @param suite What is skipped, for the report.
 */
export function haveServers(test: TestFn, suite: string, ...names: ServerName[]): boolean {
  const required = (process.env['KEYSTEAD_TEST_REQUIRE'] ?? '').split(',')
  for (const name of names) {
    const reason = missing[name]()
    if (reason === undefined) continue
    if (required.includes(name)) throw new Error(`${suite}: ${reason}, and KEYSTEAD_TEST_REQUIRE asks for it`)
    console.warn(`SKIPPED ${suite}: ${reason}`)
    // The server is not on this machine, and nobody has asked for it; CI asks, and the line above fails there.
    test.skip(`${suite}: ${reason}`, (t) => t.pass())
    return false
  }
  return true
}
