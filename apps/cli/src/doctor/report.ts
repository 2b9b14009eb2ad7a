// The report of `braid doctor`: one line of JSON for the start and one for each finished step, written as
// they end, so that an interrupted examination can be continued, and repeated without the node.

import type { EndpointProfile, Finding, PoolRef } from '@braid-swap/chain'
import { stringify } from '@braid-swap/core'
import { z } from 'zod'
import { appendText, readFileAs, writeText } from '../sources/files.js'
import { type Exchange, exchangesSchema } from '../sources/recordedNode.js'

const FORM = 'braid doctor 2'

const profileSchema = z.object({
  pastState: z.enum(['pinned', 'latest', 'refused']),
  overrides: z.enum(['honoured', 'ignored', 'refused']),
  callGas: z.coerce.bigint(),
  logRange: z.number().optional(),
  history: z.coerce.bigint().optional(),
})

const startSchema = z.object({
  form: z.literal(FORM),
  /** Unix milliseconds of the start, by the clock of the machine that examined. */
  nowMs: z.number(),
  /** Null: the built-in venues. */
  venues: z.unknown(),
  profile: profileSchema.optional(),
})

const findingSchema = z.object({
  ...{ subject: z.string(), check: z.string(), found: z.string(), assumed: z.string() },
  holds: z.boolean().optional(),
})

const stepSchema = z.object({
  /** Its part of the examination, and the venue's id or `chain`. */
  step: z.enum(['chain', 'find', 'examine']),
  subject: z.string(),
  findings: z.array(findingSchema),
  /** Pools found, in a step that finds them. */
  refs: z.array(z.custom<PoolRef>()),
  exchanges: exchangesSchema,
})

/** What holds for the whole examination. */
export type ReportStart = {
  readonly nowMs: number
  readonly venues: unknown
  readonly profile?: EndpointProfile
}

/** A part of the examination. */
export type StepName = Pick<z.infer<typeof stepSchema>, 'step' | 'subject'>

/** A finished part, and all that the node answered in it. */
export type Step = StepName & {
  readonly findings: readonly Finding[]
  readonly refs: readonly PoolRef[]
  readonly exchanges: readonly Exchange[]
}

/** A whole report. */
export type Report = { readonly start: ReportStart; readonly steps: readonly Step[] }

/** Writes the start of a report in place of the file. Throws FILE_UNREADABLE. */
export function startReport(path: string, start: ReportStart): void {
  writeText(path, `${stringify({ form: FORM, ...start })}\n`)
}

/** Adds a finished step. Throws FILE_UNREADABLE. */
export function addStep(path: string, step: Step): void {
  appendText(path, `${stringify(step)}\n`)
}

/** Reads a report; a last line that was cut off is left out. Throws FILE_UNREADABLE. */
export function readReport(path: string): Report {
  return readFileAs(path, 'a report of braid doctor --out', (text) => {
    const [first = '', ...lines] = text.split('\n').slice(0, -1)
    const { nowMs, venues, profile } = startSchema.parse(JSON.parse(first))
    const steps = lines.map((line) => stepSchema.parse(JSON.parse(line)) as unknown as Step)
    const known = profile as EndpointProfile | undefined
    return { start: { nowMs, venues, ...(known && { profile: known }) }, steps }
  })
}

/** Rewrites a report without a line that was cut off. Throws FILE_UNREADABLE. */
export function repairReport(path: string, { start, steps }: Report): void {
  startReport(path, start)
  for (const step of steps) addStep(path, step)
}
