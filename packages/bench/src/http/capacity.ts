/**
 * The command `pnpm bench capacity`: how many quotes a second one process answers, by the method that Fynd publishes for
 * its solver. An open loop under a block a second, 60 s a step. Strict: the p95 stays within 1.2 of that of an idle
 * process, and nothing is refused. Knee: within 3. First steps by a factor of 1.5, then of 5 requests a second around
 * both; of those only the ones that halve what is left are run. Steps far from both are shorter, and none of these is a
 * result: some 12 minutes for each number of threads.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine } from '../report/machine.js'
import { percentile } from '../stats.js'
import type { Ready } from './apiProcess.js'
import { GENERATOR, type Step } from './openLoop.js'

const STEP_S = 60
const QUICK_STEP_S = 3
/** The length of a step that only narrows the search, and how many requests a second it leaves open. */
const ROUGH_STEP_S = 15
const ROUGH = 40
const IDLE = 5
const FIRST = 100
const FACTOR = 1.5
const FINE = 5
/** The most that a p95 may be, in p95 of an idle process. */
const LIMITS = { strict: 1.2, knee: 3 } as const
const FYND = { strict: 20, knee: 30, machine: 'two virtual processors' } as const

type Asked = Pick<Step, 'perSecond' | 'refused'> & {
  readonly p95: number
  readonly seconds: number
}

/** Measures one and two search threads, prints each step, and writes `results/capacity.md`. */
export async function measureCapacity(of: {
  readonly isQuick: boolean
  readonly seed: number
  readonly commit: string
}): Promise<void> {
  const rows: string[] = []
  for (const threads of [1, 2]) {
    const api = start('apiProcess.js', [`${of.seed}`, `${threads}`])
    const ready = await next<Ready>(api)
    api.send({ isMining: true })
    await next(api)
    const load = start('loadProcess.js', [JSON.stringify(ready)])
    const [whole, rough] = of.isQuick ? [QUICK_STEP_S, QUICK_STEP_S] : [STEP_S, ROUGH_STEP_S]
    const run = async (perSecond: number, seconds: number): Promise<Asked> => {
      load.send({ perSecond, seconds })
      const { ms, refused } = await next<Step>(load)
      const step = { perSecond, seconds, refused, p95: percentile(ms, 0.95) }
      console.log(
        `${threads} threads, ${perSecond}/s for ${seconds} s: p95 ${step.p95.toFixed(2)} ms, ${refused} refused`,
      )
      return step
    }
    await run(FIRST, QUICK_STEP_S)
    const found = await findLimits(await run(IDLE, whole), run, { whole, rough })
    const { strict, knee, idle } = found
    rows.push(`| ${threads} | ${strict} | ${knee} | ${idle.p95.toFixed(2)} |`)
    for (const child of [load, api]) child.disconnect()
  }
  report(rows, of)
}

/** The last rates that hold both limits, each run for a whole step. */
async function findLimits(
  idle: Asked,
  run: (perSecond: number, seconds: number) => Promise<Asked>,
  { whole, rough }: { readonly whole: number; readonly rough: number },
) {
  const asked = new Map([[idle.perSecond, idle]])
  const ask = async (perSecond: number, seconds: number) => {
    const step = await run(perSecond, seconds)
    asked.set(perSecond, step)
    return step
  }
  let last = idle
  for (let rate = FIRST; isWithin(last, idle, LIMITS.knee); rate *= FACTOR) {
    last = await ask(Math.round(rate / FINE) * FINE, rough)
  }
  const lastWithin = async (limit: number) => {
    for (;;) {
      const sorted = [...asked.values()].sort((x, y) => x.perSecond - y.perSecond)
      // The step below the first that is too much, as one walks up.
      const at = sorted.findIndex((step) => !isWithin(step, idle, limit))
      const [low, high] = [sorted[at - 1]!, sorted[at]!]
      const open = high.perSecond - low.perSecond
      if (open <= FINE && low.seconds === whole) return low.perSecond
      if (open <= FINE) await ask(low.perSecond, whole)
      else {
        const between = low.perSecond + Math.ceil(open / 2 / FINE) * FINE
        await ask(between, open > ROUGH ? rough : whole)
      }
    }
  }
  return { idle, strict: await lastWithin(LIMITS.strict), knee: await lastWithin(LIMITS.knee) }
}

const isWithin = ({ p95, refused }: Asked, idle: Asked, limit: number) =>
  refused === 0 && p95 <= limit * idle.p95

const start = (file: string, words: readonly string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), words)

const next = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T

function report(
  rows: readonly string[],
  { isQuick, commit }: { readonly isQuick: boolean; readonly commit: string },
): void {
  const { strict, knee, machine } = FYND
  const text = `# Capacity of one process

Quotes a second on the recorded market of Ethereum, open loop, a block a second, ${isQuick ? QUICK_STEP_S : STEP_S} s a step that counts. Strict: p95 within
${LIMITS.strict} of idle and nothing refused; knee: within ${LIMITS.knee}. \`pnpm bench capacity\` at ${commit}, ${new Date().toISOString().slice(0, 10)}.

- machine: ${describeMachine()}
- load generator: ${GENERATOR}

| search threads | strict | knee | p95 idle, ms |
| -------------- | -----: | ---: | -----------: |
${rows.join('\n')}
| Fynd, ${machine}, as published | ${strict} | ${knee} | |
`
  const folder = fileURLToPath(new URL(`../../results/${isQuick ? 'quick' : ''}`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'capacity.md')
  writeFileSync(file, text)
  console.log(`written to ${file}`)
}
