/**
 * `pnpm bench feed`: what it costs to carry a market to other processes. For generated markets of
 * several sizes: the time from a block to the first certified quote on it, in the process that has
 * the block and at readers behind Redis, the time to publish and to load a whole market, and bytes,
 * commands and memory. BRAID_REDIS_URL names the Redis, whose database is emptied.
 */
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { advance, type Snapshot, toHex } from '@braid-swap/core'
import { generateBlockDiff } from '../markets/blockDiff.js'
import { generateSnapshot } from '../markets/generated.js'
import { describeMachine } from '../report/machine.js'
import { type FeedFigures, measureFeed } from './measure.js'
import { writeFeedReport } from './report.js'

const SIZES = [1_350, 10_000, 50_000]
/** Pools that a busy block moves. */
const MOVED = 40

/** Measures all sizes, prints a table and writes the report. */
export async function runFeed({ isQuick }: { readonly isQuick: boolean }): Promise<void> {
  const url = process.env['BRAID_REDIS_URL']
  if (url === undefined) throw new RangeError('set BRAID_REDIS_URL to a Redis that may be emptied')
  const figures: FeedFigures[] = []
  for (const size of isQuick ? SIZES.slice(0, 1) : SIZES) {
    figures.push(await measureFeed(url, chainOf(generateSnapshot(size, 1), isQuick ? 10 : 200)))
    console.log(JSON.stringify(figures.at(-1)))
  }
  const facts = {
    command: ['pnpm bench', ...process.argv.slice(2)].join(' '),
    machine: describeMachine(),
    'load average': loadavg()[0]!.toFixed(1),
    node: process.versions.node,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString(),
  }
  console.log(
    `written to ${await writeFeedReport(isQuick ? 'feed-quick' : 'feed', facts, figures)}`,
  )
}

/** A market and the blocks after it, in each of which some pools move. */
function chainOf(start: Snapshot, count: number): readonly Snapshot[] {
  const blocks = [start]
  for (let n = 1; n < count; n++) {
    const before = blocks.at(-1)!
    const { number, timestamp } = before.block
    const block = {
      ...before.block,
      ...{ number: number + 1n, timestamp: timestamp + 1n, hash: toHex(number + 1n, 32) },
    }
    blocks.push(advance(before, { block, pools: generateBlockDiff(before, MOVED, n) }))
  }
  return blocks
}
