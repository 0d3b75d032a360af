/** One line of the report, whatever was measured. */
import type { Measured } from './measure.ts'
import type { MsByPart } from './processor-time.ts'
import { figureOf, type Figure } from './statistics.ts'

export interface Row {
  section: string
  /** Names the row within its section, together with `clients`. */
  name: string
  clients?: number
  perSecond?: Figure
  p50Ms: Figure
  p99Ms?: number
  calls?: number
  failures?: number
  /** Part of the calls that were granted, 0 to 1, where honest ones may be refused. */
  accepted?: number
  /** Processor time of one call by process. */
  processorMs?: MsByPart
  note?: string
}

/** The loop's answer as a row; a caller that is no client of anything has no number of clients. */
export function rowOf(section: string, name: string, measured: Measured, more: Partial<Row> = {}): Row {
  const { clients, perSecond, p50Ms, p99Ms, calls, failures } = measured
  return { section, name, clients, perSecond, p50Ms, p99Ms, calls, failures, ...more }
}

/** Row of one duration, in ms. */
export function durationRow(section: string, name: string, ms: Figure | number, note?: string): Row {
  const row = { section, name, p50Ms: typeof ms === 'number' ? figureOf([ms]) : ms }
  return note === undefined ? row : { ...row, note }
}

/** @throws when it was not measured. */
export function rowNamed(rows: Row[], section: string, name: string, clients?: number): Row {
  const row = rows.find((each) => each.section === section && each.name === name && each.clients === clients)
  if (row === undefined) throw new Error(`no row ${section}, ${name}, ${clients}`)
  return row
}
