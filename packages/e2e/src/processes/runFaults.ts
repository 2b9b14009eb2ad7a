/**
 * Faults of a service of several processes one after the other, under load. After each, both readers must answer from a
 * new block again, accept the key that is valid and refuse all revoked ones; every answer is compared.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@braid-swap/devnet'
import { oldestMs, wrongAnswers } from './checkSeen.js'
import type { FaultKind } from './fault.js'
import { faultKinds } from './faultKinds.js'
import { openWorld, partsApart, type Seen } from './service.js'
import { startTestService, type TestService } from './testService.js'

/** Options of {@link runFaults}. */
export type FaultsOptions = {
  readonly faults: Iterable<FaultKind>
  /** How long the next fault lasts, in milliseconds. */
  readonly holdMs: () => number
  /** Load between two faults, in milliseconds; by default two seconds. */
  readonly calmMs?: number
  readonly log: (line: string) => void
}

/** Counts of answers by status, and by code if it is not 200. */
export type AnswerCounts = Readonly<Record<string, number>>

/** What was measured of one fault. */
export type FaultRow = {
  readonly name: string
  readonly answers: AnswerCounts
  readonly wrong: readonly Seen[]
  /** Keys that were lost or revived. */
  readonly wrongKeys: readonly string[]
  /** Where the market that is followed alone was not the chain's. */
  readonly apart: readonly string[]
  /** Of the oldest answer with 200, since its block was mined. */
  readonly oldestMs: number
  readonly failoverMs?: number | undefined
  /** From the end of the fault until both readers answered from a new block. */
  readonly recoveryMs: number
  /** For how long a reader accepted a key that was revoked after it. */
  readonly revokedMs: number
}

/** The results of a run. */
export type FaultsReport = {
  readonly rows: readonly FaultRow[]
  readonly blocks: number
  /** Resident memory in MB at the begin and at the end; of a process that was started again, since. */
  readonly memory: Readonly<Record<string, readonly [begin: number, end: number]>>
}

/** Causes the faults. */
export async function runFaults({
  faults,
  holdMs,
  calmMs = 2_000,
  log,
}: FaultsOptions): Promise<FaultsReport> {
  const world = await openWorld()
  const service = await startTestService(world)
  try {
    await sleep(calmMs)
    const begin = memoryOf(service)
    const rows: FaultRow[] = []
    for (const kind of faults) {
      const row = await causeOne(service, kind, { holdMs: holdMs(), calmMs })
      rows.push(row)
      log(lineOf(row))
    }
    const end = memoryOf(service)
    await service.load.stop()
    const names = Object.keys(end)
    return {
      rows,
      blocks: service.load.right.size,
      memory: Object.fromEntries(names.map((name) => [name, [begin[name]!, end[name]!]])),
    }
  } finally {
    await service.stop()
    await world.stop()
  }
}

async function causeOne(
  service: TestService,
  kind: FaultKind,
  { holdMs, calmMs }: { readonly holdMs: number; readonly calmMs: number },
): Promise<FaultRow> {
  const { load, readers, keys, world } = service
  const urls = readers.map(({ url }) => url)
  const from = load.seen.length
  const { failoverMs } = await kind.cause(service, holdMs)
  const overMs = performance.now()
  for (const url of urls) await load.untilNewBlock(url)
  const recoveryMs = performance.now() - overMs
  const wrongKeys = await keys.wrong(urls)
  const revokedMs = await keys.renew(urls)
  const apart = await partsApart(world)
  await sleep(calmMs)
  const seen = load.seen.slice(from)
  // The right answer at a block is known before the next block is mined.
  await load.untilNewBlock(urls[1]!)
  return {
    name: kind.name,
    answers: countAnswers(seen),
    wrong: wrongAnswers(seen, load, kind.killsReader && readers[0].url),
    apart,
    oldestMs: oldestMs(seen, load),
    ...{ wrongKeys, failoverMs, recoveryMs, revokedMs },
  }
}

function lineOf({ name, answers, wrong, wrongKeys, oldestMs: oldest, ...times }: FaultRow): string {
  const inS = (ms: number | undefined) => (ms === undefined ? '–' : (ms / 1_000).toFixed(2))
  const { '200': right = 0, ...others } = answers
  const refused = Object.entries(others).map(([what, count]) => `${count} ${what}`)
  const cells = [
    ...[name, `${right}`, refused.join(', ') || '–', `${wrong.length}`, `${wrongKeys.length}`],
    ...[inS(oldest), inS(times.failoverMs), inS(times.recoveryMs), inS(times.revokedMs)],
  ]
  return `| ${cells.join(' | ')} |`
}

/** The head of the table whose rows the log gets. */
export const TABLE_HEAD = `| fault | right | refused | wrong | keys wrong | oldest s | failover s | recovery s | revoked s |
| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |`

/** All kinds in random order, then all in another order, and so on, until the minutes are over. */
export function* randomFaults(random: Random, minutes: number): Generator<FaultKind> {
  const untilMs = performance.now() + minutes * 60_000
  while (true) {
    const left = [...faultKinds]
    while (left.length > 0) {
      if (performance.now() >= untilMs) return
      const kind = random.pick(left)
      left.splice(left.indexOf(kind), 1)
      yield kind
    }
  }
}

function countAnswers(seen: readonly Seen[]): AnswerCounts {
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
