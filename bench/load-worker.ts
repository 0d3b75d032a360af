/** The load generator: closed-loop clients on keep-alive connections, in a process of its own. */
import { Agent, request } from 'node:http'
import type { Credentials } from '../test/support/client.ts'
import { measure, type Measured, type Plan } from './measure.ts'
import { processorMs, type MsByPart, type Parts } from './processor-time.ts'
import { paths, RequestSupply, type PreparedRequest, type Recipe } from './requests.ts'
import { answerJob } from './worker.ts'

export interface LoadJob {
  baseUrl: string
  credentials: Credentials
  recipe: Recipe
  plan: Plan
  /** What a good answer contains. */
  expected: string
  /** Processes whose processor time is of interest. */
  parts: Parts
}

export interface LoadAnswer extends Measured {
  /** Processor time of one call by process, ours as `load`. */
  processorMs: MsByPart
  /** Requests that had to be stamped while the clock ran; 0 unless the rate more than doubled after the warm-up. */
  late: number
  bodyBytes: number
  firstFailure?: string
}

/** More than any warm-up of one second sends. */
const WARM_UP_REQUESTS = 2_000
/** Room for a rate that rises after the warm-up. */
const MARGIN = 2

async function load({ baseUrl, credentials, recipe, plan, expected, parts }: LoadJob): Promise<LoadAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.clients })
  const url = new URL(paths[recipe.kind], baseUrl)
  const supply = new RequestSupply(credentials, recipe)
  let firstFailure: string | undefined
  supply.prepare(WARM_UP_REQUESTS)
  const bodyBytes = supply.next().body.length

  const post = ({ body, stamp }: PreparedRequest) => {
    return new Promise<boolean>((resolve) => {
      const settle = (status: number | undefined, text: string) => {
        const good = status === 200 && text.includes(expected)
        if (!good) firstFailure ??= `${status} ${text.slice(0, 200)}`
        resolve(good)
      }
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, 'X-Stamp': stamp }
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('latin1')
        response.on('data', (chunk: string) => (text += chunk))
        response.once('end', () => settle(response.statusCode, text))
      })
      sent.once('error', (error) => settle(undefined, error.message))
      sent.end(body)
    })
  }

  let before: MsByPart = {}
  let after: MsByPart = {}
  const measured = await measure(plan, () => post(supply.next()), {
    prepare(callsPerSecond) {
      supply.prepare(Math.ceil(MARGIN * callsPerSecond * (plan.seconds + 1)) + plan.clients)
      supply.late = 0
    },
    begin: () => (before = processorMsWithOurs(parts)),
    end: () => (after = processorMsWithOurs(parts)),
  })
  agent.destroy()
  const each = Object.keys(after).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / measured.calls])
  const answer = { ...measured, processorMs: Object.fromEntries(each) as MsByPart, late: supply.late, bodyBytes }
  return firstFailure === undefined ? answer : { ...answer, firstFailure }
}

function processorMsWithOurs(parts: Parts): MsByPart {
  const { user, system } = process.cpuUsage()
  return { load: (user + system) / 1000, ...processorMs(parts) }
}

answerJob(load)
