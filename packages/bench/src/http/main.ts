// The command `pnpm bench http`.

import { ownValue } from '@braid-swap/core'
import type { Finding } from '../goals/goal.js'
import { type RunFacts, toLine } from '../report/markdown.js'
import { readFigures, writeReport } from '../report/write.js'
import { type Child, startChild } from './apiChild.js'
import { crowdFindings, halfFindings, processesFinding, rateFinding } from './findings.js'
import { curve } from './processes.js'
import { halfOfCapacity, healthBesideCrowd, politeAmongOthers, type Run, rates } from './run.js'

/** The parts that one process is measured in. */
const PARTS: Readonly<Record<string, (api: Child, run: Run) => Promise<readonly Finding[]>>> = {
  rates: async (api, run) => [rateFinding(await rates(api, run))],
  half: async (api, run) => halfFindings(await halfOfCapacity(api, run)),
  crowd: async (api, run) =>
    crowdFindings(await healthBesideCrowd(api, run), await politeAmongOthers(api, run)),
}

/**
 * Measures quotes over HTTP and writes the report: one part if it is named, else all that one process
 * shows; `processes` needs a Redis.
 */
export async function runHttp(
  part: string | undefined,
  {
    isQuick,
    seed,
    against,
    factsOf,
  }: {
    readonly isQuick: boolean
    readonly seed: number
    readonly against: string | undefined
    readonly factsOf: () => RunFacts
  },
): Promise<void> {
  const run: Run = {
    seconds: isQuick ? 2 : 10,
    connections: isQuick ? [1, 16] : [1, 4, 16, 64, 256],
    seed,
    log: (line) => void process.stderr.write(`${line}\n`),
  }
  const name = [isQuick ? 'http-quick' : 'http', ...(part ? [part] : [])].join('-')
  const previous = readFigures(against ?? name)
  const findings =
    part === 'processes' ? [processesFinding(await curve(run))] : await one(part, run)
  for (const finding of findings) console.log(toLine(finding))
  run.log(`written to ${await writeReport(name, factsOf(), findings, previous)}`)
}

async function one(part: string | undefined, run: Run): Promise<readonly Finding[]> {
  const chosen = part === undefined ? Object.values(PARTS) : [ownValue(PARTS, part)]
  if (chosen.includes(undefined)) {
    const names = [...Object.keys(PARTS), 'processes'].join(', ')
    throw new RangeError(`unknown part ${part}; expected ${names}`)
  }
  const api = await startChild('apiProcess.js', ['200', `${run.seed}`])
  try {
    await rates(api, { ...run, connections: [4], seconds: run.seconds / 2, log: () => {} })
    const findings: Finding[] = []
    for (const measure of chosen) findings.push(...(await measure!(api, run)))
    return findings
  } finally {
    await api.end()
  }
}
