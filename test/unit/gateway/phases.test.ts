/** Every move between the phases of an activity: those of the table are made, all others are refused. */
import test from 'ava'
import {
  activePhases,
  isFinal,
  mayLeadTo,
  phases,
  rests,
  type ActivityPhase,
} from '../../../gateway/activities/phases.ts'
import type { Steps } from '../../../gateway/activities/steps.ts'
import type { ActivityDocument } from '../../../gateway/documents.ts'
import { changingOutcome, fixed, openSteps, outcome } from '../../support/steps.ts'

const all = Object.keys(phases) as ActivityPhase[]
const LEGAL = [
  'accepted executed',
  'accepted waiting',
  'accepted completed',
  'accepted failed',
  'accepted refused',
  'waiting voted',
  'voted voted',
  'voted executed',
  'voted waiting',
  'voted completed',
  'voted rejected',
  'voted failed',
  'executed completed',
]

const world = await openSteps(() => Promise.reject(new Error('nobody asks the signer here')))
test.after.always(() => world.dispose())

test('of the 64 pairs of phases thirteen are moves', (t) => {
  t.deepEqual(all, ['accepted', 'waiting', 'voted', 'executed', 'completed', 'rejected', 'failed', 'refused'])
  const moves = all.flatMap((from) => all.filter((to) => mayLeadTo(from, to)).map((to) => `${from} ${to}`))
  t.deepEqual(moves.toSorted(), LEGAL.toSorted())
})

test('final phases lead nowhere, all others somewhere', (t) => {
  t.deepEqual(all.filter(isFinal), ['completed', 'rejected', 'failed', 'refused'])
  t.deepEqual(
    all.filter((phase) => !rests(phase)),
    [...activePhases],
    'whatever does not rest is recovered',
  )
})

type Step = (steps: Steps, activity: ActivityDocument) => Promise<ActivityDocument>
const refusing = (code: 'KEY_NOT_FOUND' | 'SIGNER_REQUEST_MISMATCH'): Step => {
  return (steps, activity) => steps.refuse(activity, { code, message: 'no', field: '' })
}

const waiting = { ...fixed(outcome), status: 'CONSENSUS_NEEDED' } as const

/** Each step that moves an activity, and where it wants to. */
const moving: Record<string, { step: Step; to: ActivityPhase }> = {
  'an outcome without records': { step: (steps, each) => steps.fixOutcome(each, fixed(outcome)), to: 'completed' },
  'an outcome with records': {
    step: (steps, each) => steps.fixOutcome(each, fixed(changingOutcome)),
    to: 'executed',
  },
  'going on to wait': { step: (steps, each) => steps.fixOutcome(each, waiting), to: 'waiting' },
  'a rejection': { step: (steps, each) => steps.fixOutcome(each, { ...waiting, status: 'REJECTED' }), to: 'rejected' },
  'records written': { step: (steps, each) => steps.writeRecords(each), to: 'completed' },
  'a refusal of the request': { step: refusing('KEY_NOT_FOUND'), to: 'refused' },
  'a refusal during execution': { step: refusing('SIGNER_REQUEST_MISMATCH'), to: 'failed' },
  'giving up': { step: (steps, each) => steps.giveUp(each), to: 'failed' },
}

for (const [name, { step, to: wanted }] of Object.entries(moving)) {
  for (const from of all) {
    // Everybody who votes has seen it.
    const to = from === 'voted' && wanted === 'refused' ? 'failed' : wanted
    const legal = LEGAL.includes(`${from} ${to}`)
    test(`${name}, ${from} to ${to}: ${legal ? 'is stored' : 'is refused'}`, async (t) => {
      const activity = await world.insert({ phase: from })
      if (legal) {
        t.is((await step(world.steps, activity)).phase, to)
        t.is((await world.stored(activity._id))?.phase, to)
      } else {
        await t.throwsAsync(step(world.steps, activity), { message: `${from} may not lead to ${to}` })
        t.deepEqual(await world.stored(activity._id), activity)
      }
    })
  }
}

test('a step that comes too late takes what is stored', async (t) => {
  const activity = await world.insert()
  await world.steps.giveUp(activity)
  t.is((await world.steps.fixOutcome(activity, fixed(outcome))).phase, 'failed')
  t.is((await world.steps.markShown(activity)).phase, 'failed')
})

test('what clients may know as pending cannot vanish, whoever refuses it', async (t) => {
  const activity = await world.insert()
  const shown = await world.steps.markShown(activity)
  t.deepEqual(await world.steps.markShown(activity), shown, 'marked once')
  const refuse = moving['a refusal of the request']?.step as Step
  t.like(await refuse(world.steps, activity), { phase: 'accepted', shownPending: true }, 'decided on an older reading')
  t.like(await refuse(world.steps, shown), { phase: 'failed', idempotencyKey: activity.idempotencyKey })
})
