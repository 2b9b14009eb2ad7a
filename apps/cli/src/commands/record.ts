import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getAmountOut, type Pool, type Snapshot } from '@braid-swap/core'
import type { Command } from 'commander'
import { withExample } from '../commandOptions.js'
import { FileError, MismatchError, UsageError } from '../errors.js'
import { drawTable } from '../output.js'
import { recordPool } from '../record/recordPool.js'
import { MAX_VECTOR_BYTES, type PoolVector, stringifyVector, vectorPath } from '../record/vector.js'
import { loadMarket } from '../sources/marketSource.js'
import type { Terminal } from '../terminal.js'

type RecordOptions = {
  readonly rpc: string
  readonly out: string
  readonly venues?: string
  readonly perVenue: string
}

/** `braid record`: records the outputs of pools' own bytecode as vectors for the tests. */
export function addRecord(program: Command, terminal: Terminal): void {
  const command = program
    .command('record')
    .description('record the outputs of pools’ own bytecode as test vectors')
    .requiredOption('--rpc <url>', 'a node that accepts code overrides in eth_call')
    .requiredOption('--out <folder>', 'folder of the vectors, such as packages/vectors/pools')
    .option('--venues <file>', 'venues to read, as JSON (default: HyperEVM’s)')
    .option('--per-venue <number>', 'maximum number of pools of each venue', '2')
    .action((options: RecordOptions) => run(options, terminal))
  withExample(command, 'braid record --rpc http://127.0.0.1:8545 --out packages/vectors/pools')
}

async function run(options: RecordOptions, terminal: Terminal): Promise<void> {
  const perVenue = /^[1-9]\d{0,2}$/.test(options.perVenue) ? Number(options.perVenue) : 0
  if (perVenue === 0) {
    throw new UsageError('--per-venue is not a count', {
      got: options.perVenue,
      wanted: '1 to 999',
    })
  }
  const { snapshot, client } = await loadMarket(options.rpc, options, terminal)
  const rows: string[][] = []
  let disagreements = 0
  for (const pool of pick(snapshot, perVenue)) {
    const vector = client && (await recordPool(client, snapshot, pool))
    if (!vector) continue
    const wrong = vector.swaps.filter(
      ({ direction, amountIn, amountOut }) =>
        getAmountOut(vector.pool, direction, amountIn) !== amountOut,
    )
    disagreements += wrong.length
    write(join(options.out, vectorPath(vector)), vector)
    rows.push([vectorPath(vector), `${vector.swaps.length}`, `${wrong.length}`])
    terminal.err(`recorded ${vectorPath(vector)}`)
  }
  terminal.out(drawTable(['file', 'swaps', 'core differs'], rows, ['left', 'right', 'right']))
  if (disagreements > 0) {
    throw new MismatchError('core and bytecode differ', { swaps: disagreements })
  }
}

/** The first pools of each venue by address, so that every run picks the same. */
function pick({ pools }: Snapshot, perVenue: number): readonly Pool[] {
  const counts = new Map<string, number>()
  const sorted = [...pools].sort((a, b) => (a.id < b.id ? -1 : 1))
  return sorted.filter(({ venue }) => {
    const count = (counts.get(venue) ?? 0) + 1
    counts.set(venue, count)
    return count <= perVenue
  })
}

function write(path: string, vector: PoolVector): void {
  const text = stringifyVector(vector)
  if (text.length > MAX_VECTOR_BYTES) {
    throw new FileError(path, `${text.length} bytes, more than ${MAX_VECTOR_BYTES}`)
  }
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (cause) {
    throw new FileError(path, 'cannot be written', cause)
  }
}
