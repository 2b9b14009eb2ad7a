import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Core, coreEntry, loadCore } from '../ablation/ablate.js'
import { parts } from '../ablation/parts.js'
import { bpsAbove, type Evaluation, evaluate } from '../evaluate.js'
import type { Market } from '../market.js'
import { adversarialCases } from '../markets/adversarial.js'
import type { Request } from '../request.js'
import { ordersWorth, smallRequests, stratifiedRequests } from '../requests.js'
import { mean } from '../stats.js'
import { defaultTerms, hyperEvmMarket } from '../terms.js'
import type { Goal, Lab, Measured } from './goal.js'

const MAX_LINES = 3_000
const GWEI = 1
// A smaller difference of two routes is none.
const LEAST_BPS = 0.01

/** H8: the size of the solver, and what each heuristic gains and costs. */
export const simplicity: Goal = {
  id: 'H8',
  title: 'simplicity',
  target: `solver/ under ${MAX_LINES.toLocaleString('en')} lines, each file with a test of its own; what each heuristic gains and costs`,
  measure,
}

type Job = { readonly market: Market; readonly request: Request }
type Solved = { readonly worths: readonly (Evaluation | undefined)[]; readonly ms: number }

async function measure(lab: Lab): Promise<Measured> {
  const size = sizeOfSolver()
  const jobs = jobsOf(lab)
  const whole = solveAll((await loadCore())!, jobs)
  const rows: (readonly (string | number)[])[] = []
  for (const part of parts) {
    lab.log(`H8: without ${part.name}`)
    const core = await loadCore(part)
    if (core) rows.push([part.name, ...compare(whole, solveAll(core, jobs))])
  }
  const untested = size.files.filter(({ hasTest }) => !hasTest)
  return {
    measured: `${size.lines} lines in ${size.files.length} files, ${untested.length} without a test beside them; ${rows.length} heuristics measured`,
    isReached: size.lines < MAX_LINES && untested.length === 0,
    tables: [
      {
        title: `${jobs.length} orders without one heuristic each: how many net more or less than with it, the mean loss, the worst, and the time`,
        columns: ['without', 'worse', 'better', 'mean loss bp', 'worst bp', 'no route', 'time ×'],
        rows,
      },
      {
        title: 'files without a test',
        columns: ['file', 'lines'],
        rows: untested.map(({ file, lines }) => [file, lines]),
      },
    ],
    figures: [
      { name: 'lines', value: size.lines, better: 'low' },
      { name: 'files without a test', value: untested.length, better: 'low' },
    ],
  }
}

/** The lines of the solver's source without tests. The sources lie beside the build. */
function sizeOfSolver() {
  const root = join(dirname(coreEntry()), '../src/solver')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const files = names
    .filter((name) => name.endsWith('.ts') && !/\.(test|fuzz)\.ts$/.test(name))
    .map((file) => ({
      file,
      lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
      hasTest: existsSync(join(root, file.replace(/\.ts$/, '.test.ts'))),
    }))
  return { files, lines: files.reduce((sum, { lines }) => sum + lines, 0) }
}

/** Wide, narrow and small orders, orders that a block limits, and adversarial markets. */
function jobsOf(lab: Lab): readonly Job[] {
  const { clean } = lab.ethereum
  const hyperEvm = hyperEvmMarket()
  const seed = lab.seed + 30
  const n = (count: number) => (lab.isQuick ? Math.ceil(count / 40) : count)
  const on = (market: Market, requests: readonly Request[]) =>
    requests.map((request) => ({ market, request }))
  return [
    ...on(clean, stratifiedRequests(clean, { count: n(120), seed, gwei: GWEI, maxLegs: 24 })),
    ...on(clean, stratifiedRequests(clean, { count: n(80), seed, gwei: GWEI, maxLegs: 4 })),
    ...on(clean, smallRequests(clean, { count: n(80), seed, gwei: GWEI, maxLegs: 24 })),
    ...on(
      hyperEvm,
      ordersWorth(hyperEvm, {
        ...{ count: n(60), seed, label: 'block gas', ...defaultTerms(hyperEvm) },
        dollars: (prng) => prng.logBetween(100, 1e6),
      }),
    ),
    ...adversarialCases(n(5), seed),
  ]
}

function solveAll({ buildGraph, prepare, solve }: Core, jobs: readonly Job[]): Solved {
  const graphs = new Map(jobs.map(({ market }) => [market, prepare(buildGraph(market.snapshot))]))
  const ask = ({ market, request }: Job) => {
    const { gasPrice, maxLegs, maxGas = Number.POSITIVE_INFINITY } = request
    return solve(graphs.get(market)!, request.order, { gasPrice, maxLegs, maxGas })
  }
  // Another bundle is other code, which the engine has not yet compiled.
  for (const job of jobs.slice(0, 40)) ask(job)
  const start = performance.now()
  const solutions = jobs.map(ask)
  const ms = performance.now() - start
  return { ms, worths: jobs.map(({ request }, i) => evaluate(request, solutions[i]?.hops)) }
}

function compare(whole: Solved, less: Solved): readonly number[] {
  let [worse, better, lost] = [0, 0, 0]
  const losses: number[] = []
  for (const [i, own] of whole.worths.entries()) {
    const other = less.worths[i]
    if (!own) continue
    if (!other) {
      lost++
      continue
    }
    const bps = -bpsAbove(other.net, own.net)
    losses.push(bps)
    if (bps > LEAST_BPS) worse++
    if (bps < -LEAST_BPS) better++
  }
  return [worse, better, mean(losses), Math.max(0, ...losses), lost, less.ms / whole.ms]
}
