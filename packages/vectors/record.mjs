/**
 * `pnpm vectors --rpc URL [--venues FILE] [--per-venue 3] [--out FOLDER]`: asks the bytecode of some pools
 * of each venue for its outputs, and writes a vector file for each pool. Exits with 1 if core disagrees with a
 * contract, after writing the file that shows it; a pair cannot say what it pays instead, and has no file.
 * Needs a build.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadMarket } from '../../apps/cli/dist/sources/marketSource.js'
import { probePools, readHeader } from '../chain/dist/index.js'
import { stringify } from '../core/dist/index.js'

/** The largest file that a reviewer can be expected to read. */
const MAX_FILE_BYTES = 200_000

const { values } = parseArgs({
  options: {
    rpc: { type: 'string' },
    venues: { type: 'string' },
    'per-venue': { type: 'string', default: '3' },
    out: { type: 'string', default: join(import.meta.dirname, 'pools') },
  },
})
if (values.rpc === undefined) throw new Error('--rpc URL is missing')

/** The first pools of each venue by address, so that every run picks the same. */
function pick(pools, perVenue) {
  const counts = new Map()
  return pools
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .filter(({ venue }) => {
      counts.set(venue, (counts.get(venue) ?? 0) + 1)
      return counts.get(venue) <= perVenue
    })
}

/** How the bytecode of a family is asked, in words; pools of the others are not asked. */
const PAIR =
  'the output that swap pays, and refuses to raise by one wei, after another pool lent the input'
const RANGED = 'swap(recipient, zeroForOne, amountIn, the price’s end, ""), whose callback reverts'
const CALLS = {
  ...{ uniswapV2: PAIR, uniswapV3: RANGED, algebraIntegral: RANGED, algebraV1: RANGED },
}

/** The text of a vector file, with one swap a line. */
function textOf(source, pool, swaps) {
  const lines = swaps
    .map(({ direction, amountIn, paid }) => {
      return `    ${stringify({ direction, amountIn, amountOut: paid })}`
    })
    .join(',\n')
  const head = `{\n  "source": ${stringify(source)},\n  "pool": ${stringify(pool)},\n  "swaps": [\n`
  return `${head}${lines}\n  ]\n}\n`
}

const terminal = { err: console.error }
const { snapshot, client } = await loadMarket(values.rpc, { venues: values.venues }, terminal)
const { chainId, block } = snapshot
const header = await readHeader(client, block.number)
for (const pool of pick(snapshot.pools, Number(values['per-venue']))) {
  if (!(pool.family in CALLS)) continue
  const swaps = await probePools(client, [pool], { header, lenders: snapshot.pools })
  if (swaps.length === 0) continue
  const source = { chainId, block: block.number, contract: pool.id, call: CALLS[pool.family] }
  const text = textOf(source, swaps[0].pool, swaps)
  const name = `${chainId}-${block.number}-${pool.venue}-${pool.id.slice(2, 10)}.json`
  const file = join(values.out, pool.family, name)
  if (text.length > MAX_FILE_BYTES) throw new Error(`${file} would have ${text.length} bytes`)
  const wrong = swaps.filter(({ paid, quoted }) => paid !== quoted).length
  if (wrong === 0 || pool.family !== 'uniswapV2') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  console.log(`${file}: ${swaps.length} swaps, ${wrong} of them other than core computes`)
  if (wrong > 0) process.exitCode = 1
}
