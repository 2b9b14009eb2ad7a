/**
 * Every fault of a service of several processes in random order, under load, until the time is over.
 * After each fault both readers must answer from a new block again, and every answer is compared.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '@braid-swap/devnet'
import { wrongAnswers } from './checkSeen.js'
import { type FaultKind, faultKinds } from './faultKinds.js'
import { openWorld, type Seen, snapshotIds } from './service.js'
import { startTestService, type TestService } from './testService.js'

/** Options of {@link runSoak}. */
export type SoakOptions = {
  readonly minutes: number
  readonly seed: number
  readonly log: (line: string) => void
}

/** The results of a soak. */
export type SoakReport = {
  /** Counts of answers by status, and by code if it is not 200. */
  readonly answers: Readonly<Record<string, number>>
  readonly wrong: readonly Seen[]
  readonly blocks: number
  /** Times that each fault was caused. */
  readonly faults: Readonly<Record<string, number>>
  readonly failoversMs: readonly number[]
  /** From the end of each fault until both readers answered from a new block. */
  readonly recoveriesMs: readonly number[]
  /** Resident memory in MB at the begin and at the end; of a process that was started again, since. */
  readonly memory: Readonly<Record<string, readonly [begin: number, end: number]>>
  /** Faults after which the market that is followed alone was not the chain's. */
  readonly apart: readonly string[]
}

/** A fault lasts between these, in milliseconds. */
const HOLD_MS = { least: 2_000, most: 12_000 }
/** Load between two faults. */
const CALM_MS = 2_000

/** Runs the soak. */
export async function runSoak({ minutes, seed, log }: SoakOptions): Promise<SoakReport> {
  const random = createRandom(seed)
  const world = await openWorld()
  const service = await startTestService(world, { seed })
  try {
    await sleep(CALM_MS)
    const begin = memoryOf(service)
    const done = await causeAll(service, {
      random,
      untilMs: performance.now() + minutes * 60_000,
      log,
    })
    const end = memoryOf(service)
    await service.load.stop()
    const names = Object.keys(end)
    return {
      ...done.report,
      answers: countAnswers(service.load.seen),
      wrong: done.slices.flatMap(({ from, to, down }) =>
        wrongAnswers(service.load.seen.slice(from, to), service.load, down),
      ),
      blocks: service.load.right.size,
      memory: Object.fromEntries(names.map((name) => [name, [begin[name]!, end[name]!]])),
    }
  } finally {
    await service.stop()
    await world.stop()
  }
}

/** A part of the answers, during which a reader may have been down. */
type Slice = { readonly from: number; readonly to?: number; readonly down?: string | undefined }

async function causeAll(
  service: TestService,
  of: { readonly random: Random; readonly untilMs: number; readonly log: SoakOptions['log'] },
) {
  const { load, readers } = service
  const { random, untilMs, log } = of
  const report = {
    faults: {} as Record<string, number>,
    failoversMs: [] as number[],
    recoveriesMs: [] as number[],
    apart: [] as string[],
  }
  const slices: Slice[] = []
  const startMs = performance.now()
  let from = 0
  for (const kind of endless(random)) {
    if (performance.now() >= untilMs) break
    const holdMs = HOLD_MS.least + random.next() * (HOLD_MS.most - HOLD_MS.least)
    const { failoverMs } = await kind.cause(service, holdMs)
    const overMs = performance.now()
    for (const { url } of readers) await load.untilNewBlock(url)
    const recoveryMs = performance.now() - overMs
    const [followed, read] = await snapshotIds(service.world)
    if (followed !== read) report.apart.push(kind.name)
    const to = load.seen.length
    slices.push({ from, to, down: kind.killsReader && readers[0].url })
    report.faults[kind.name] = (report.faults[kind.name] ?? 0) + 1
    report.recoveriesMs.push(recoveryMs)
    if (failoverMs !== undefined) report.failoversMs.push(failoverMs)
    const counts = JSON.stringify(countAnswers(load.seen.slice(from, to)))
    const took = failoverMs === undefined ? '' : `, failover ${Math.round(failoverMs)} ms`
    const minute = ((performance.now() - startMs) / 60_000).toFixed(1)
    log(`${minute} min: ${kind.name}, recovery ${Math.round(recoveryMs)} ms${took}; ${counts}`)
    from = to
    await sleep(CALM_MS)
  }
  slices.push({ from })
  return { report, slices }
}

/** All kinds in random order, then all in another order, and so on. */
function* endless(random: Random): Generator<FaultKind> {
  while (true) {
    const left = [...faultKinds]
    while (left.length > 0) {
      const kind = random.pick(left)
      left.splice(left.indexOf(kind), 1)
      yield kind
    }
  }
}

function countAnswers(seen: readonly Seen[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status, code } of seen) {
    const name = status === 0 ? 'no answer' : code === undefined ? `${status}` : `${status} ${code}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

function memoryOf({ leader, standby, readers, redis }: TestService) {
  const pids = {
    ...{ leader: leader().process().pid, standby: standby().process().pid },
    'reader that is killed': readers[0].process().pid,
    'reader that is never killed': readers[1].process().pid,
    Redis: redis.pid(),
  }
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, residentMb(pid)]))
}

function residentMb(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`])) / 1_024)
}
