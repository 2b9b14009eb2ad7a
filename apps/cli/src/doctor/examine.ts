// The examination of `braid doctor`, step by step: the chain, then the pools of each venue, then what those
// pools pay. The pools are found first, because one venue's pools lend tokens to another's.

import {
  type Client,
  examineChain,
  examineVenue,
  type Finding,
  findVenuePools,
  type PoolRef,
  type Venue,
  WHYPE,
} from '@braid-swap/chain'
import { callNode } from '../sources/node.js'
import type { Exchange } from '../sources/recordedNode.js'
import type { Step, StepName } from './report.js'

/** What an examination needs, of a node or of a record of one. */
export type Examiner = {
  readonly venues: readonly Venue[]
  /** Unix milliseconds of the start. */
  readonly nowMs: number
  /** A step that is finished already. */
  readonly finished: (name: StepName) => Step | undefined
  /** A client for one step, which adds to the exchanges; each step has its own, so that it can be repeated alone. */
  readonly clientFor: (name: StepName, exchanges: Exchange[]) => Client
  readonly onStep: (step: Step) => void
  readonly onProgress: (done: number, all: number) => void
}

/** Every finding, of the chain first and then venue by venue. Throws RPC_FAILED. */
export async function examine(by: Examiner): Promise<readonly Finding[]> {
  const { venues, nowMs } = by
  const all = 1 + 2 * venues.length
  let done = 0
  const run = async (name: StepName, ask: (client: Client) => Promise<Asked>): Promise<Step> => {
    const step = by.finished(name) ?? (await runStep(by, name, ask))
    done += 1
    by.onProgress(done, all)
    return step
  }
  const chain = await run({ step: 'chain', subject: 'chain' }, async (client) => ({
    findings: await examineChain(client, { wrappedNative: WHYPE, nowMs }),
  }))
  const found: Step[] = []
  const lenders: PoolRef[] = []
  for (const venue of venues) {
    const step = await run({ step: 'find', subject: venue.id }, (client) =>
      findVenuePools(client, venue, lenders),
    )
    found.push(step)
    lenders.push(...step.refs)
  }
  const findings = [...chain.findings]
  for (const [i, venue] of venues.entries()) {
    const { refs, ...pools } = found[i]!
    const step = await run({ step: 'examine', subject: venue.id }, async (client) => ({
      findings: await examineVenue(client, venue, { refs, lenders, wrappedNative: WHYPE }),
    }))
    findings.push(...pools.findings, ...step.findings)
  }
  return findings
}

type Asked = Pick<Step, 'findings'> & { readonly refs?: readonly PoolRef[] }

async function runStep(
  by: Examiner,
  name: StepName,
  ask: (client: Client) => Promise<Asked>,
): Promise<Step> {
  const exchanges: Exchange[] = []
  const { findings, refs = [] } = await callNode(() => ask(by.clientFor(name, exchanges)))
  const step: Step = { ...name, findings, refs, exchanges }
  by.onStep(step)
  return step
}
