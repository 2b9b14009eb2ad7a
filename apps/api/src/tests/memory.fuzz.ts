// Ten thousand quotes in one process, with a new block for every ten: what is in use after a full collection stays.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildGraph, parseSnapshot } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import { createRandom } from '@braid-swap/devnet'
import { expect, it } from 'vitest'
import { RECEIVED_AT_MS, startTestApi } from '../testing/startTestApi.js'
import { NO_NODE } from '../testing/useFrozenApi.js'

const MARKS = [1_000, 5_000, 10_000]
const QUOTES_A_BLOCK = 10
const MEGABYTE = 1_000_000
/** Compiled code and statistics of the engine; a quote that kept 1 kB would be nine times as much. */
const ALLOWED = 1 * MEGABYTE

const file = new URL('../../../../packages/vectors/snapshots/999-79.json', import.meta.url)

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

it('needs no more memory after 10,000 quotes than after 1,000', async () => {
  let graph = buildGraph(parseSnapshot(readFileSync(file, 'utf8')))
  const random = createRandom(Number(process.env['BRAID_FUZZ_SEED'] ?? 1))
  const api = await startTestApi({ graph, rpcUrl: NO_NODE })
  const tokens = graph.snapshot.tokens.map(({ address }) => address)
  const nextBlock = () => {
    const { block, pools } = graph.snapshot
    const moved = pools.flatMap((pool) =>
      pool.family === 'uniswapV2' && random.next() < 0.1
        ? [{ ...pool, reserves: [pool.reserves[0] + 1_000n, pool.reserves[1]] as const }]
        : [],
    )
    const next = { ...block, number: block.number + 1n }
    graph = buildGraph(advance(graph.snapshot, { block: next, pools: moved }), graph)
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
  }
  const heapAt: number[] = []
  let answered = 0
  for (let n = 1; n <= MARKS.at(-1)!; n++) {
    if (n % QUOTES_A_BLOCK === 0) nextBlock()
    const [src, dst] = [random.pick(tokens), random.pick(tokens)]
    const amount = `${BigInt(Math.ceil(random.next() * 9)) * 10n ** BigInt(Math.floor(random.next() * 20))}`
    const { status } = await api.ask('quote', { src, dst, amount })
    if (status === 200) answered += 1
    if (!MARKS.includes(n)) continue
    // What a request leaves to its last turn of the loop is gone then.
    await sleep(100)
    collect()
    heapAt.push(process.memoryUsage().heapUsed)
    const { rss } = process.memoryUsage()
    const inMegabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1)
    console.log(
      `${n} quotes, ${answered} answered: heap ${inMegabytes(heapAt.at(-1)!)} MB, rss ${inMegabytes(rss)} MB`,
    )
  }
  await api.stop()
  expect(answered).toBeGreaterThan(2_000)
  expect(heapAt.at(-1)! - heapAt[0]!).toBeLessThan(ALLOWED)
})
