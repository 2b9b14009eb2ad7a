// Runs the compiled thread: Node cannot start one from TypeScript.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BaseError, buildGraph, type Graph, parseSnapshot } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { startTestApi } from '../testing/startTestApi.js'
import { NO_NODE } from '../testing/useFrozenApi.js'
import type { Searcher } from './searcher.js'
import { type Outcome, runSearch, type Search, type SearchName } from './searches.js'
import { HANG_MS, openSearchThreads } from './searchThreads.js'

const PROGRAM = new URL('../../dist/bundle/thread.js', import.meta.url)
const BUDGET_MS = 60_000
const E18 = 10n ** 18n
const terms = { limitMs: BUDGET_MS, key: 'one', isWanted: () => true }

const file = new URL('../../../../packages/vectors/snapshots/999-79.json', import.meta.url)
const recorded = buildGraph(parseSnapshot(readFileSync(file, 'utf8')))
const threads = openSearchThreads(2, { program: PROGRAM })
afterAll(() => threads.close())

/** Two blocks later: one moved some pools, one removed one and added another. */
function laterStates({ snapshot }: Graph): readonly [Graph, Graph] {
  const block = (n: bigint) => ({ ...snapshot.block, number: snapshot.block.number + n })
  const moved = snapshot.pools.flatMap((pool) =>
    pool.family === 'uniswapV2'
      ? [{ ...pool, reserves: [pool.reserves[0] + 1_000n, pool.reserves[1]] as const }]
      : [],
  )
  const next = advance(snapshot, { block: block(1n), pools: moved })
  const [first] = moved
  const added = { ...first!, id: `0x${'ee'.repeat(20)}` } as const
  const last = advance(next, { block: block(2n), pools: [added], removed: [moved.at(-1)!.id] })
  return [buildGraph(next), buildGraph(last)]
}

/** Every search of the market's pairs by turns, with amounts from dust to far too much. */
function searchesOf({ snapshot }: Graph): readonly Search<SearchName>[] {
  const tokens = snapshot.tokens.map(({ address }) => address)
  const trusted = new Set([WHYPE, USDC])
  const options = { objective: 'net', excludedPools: new Set([snapshot.pools[3]!.id]) } as const
  return Array.from({ length: snapshot.pools.length > 10 ? 7 : 14 }, (_, n): Search<SearchName> => {
    const tokenIn = tokens[n % tokens.length]!
    const tokenOut = tokens[(n * 7 + 3) % tokens.length]!
    const order = { tokenIn, tokenOut, amountIn: 10n ** BigInt(1 + ((n * 5) % 20)) }
    const wanted = { tokenIn, tokenOut, amountOut: 10n ** BigInt(1 + ((n * 5) % 24)) }
    const all: readonly Search<SearchName>[] = [
      { name: 'sell', asked: order, options },
      { name: 'estimate', asked: order, options },
      { name: 'buy', asked: wanted, options },
      { name: 'deliver', asked: { ...wanted, slippagePpm: 5_000n }, options },
      { name: 'nearest', asked: { tokenIn, tokenOut, amountIn: undefined }, options },
      { name: 'compare', asked: { order, limit: 5 }, options },
      { name: 'price', asked: { token: tokenOut, usdTokens: [USDC], trusted }, options: {} },
    ]
    return all[n % all.length]!
  })
}

const answerOf = (outcome: Outcome<unknown>) => {
  if (!('error' in outcome)) return outcome.value
  if (!(outcome.error instanceof BaseError)) throw outcome.error
  const { code, message, details } = outcome.error
  return { code, message, details }
}

describe('a search in a thread', () => {
  it('answers what it answers here, at each state in any order, with the pools of the graph', async () => {
    const states = [frozenGraph, ...laterStates(frozenGraph), recorded, laterStates(recorded)[1]]
    let found = 0
    for (const graph of [...states, frozenGraph]) {
      for (const search of searchesOf(graph)) {
        const there = await threads.search(graph, search, terms)
        expect(answerOf(there)).toEqual(answerOf(runSearch(graph, search, BUDGET_MS)))
        if ('error' in there || !('answer' in there.value) || !there.value.answer.route) continue
        found += 1
        for (const { pool } of there.value.answer.route) {
          expect(graph.snapshot.pools.includes(pool)).toBe(true)
        }
      }
    }
    expect(found).toBeGreaterThan(5)
  })

  it('lets the loop turn', async () => {
    const turnsDuringSearch = async () => {
      let isOver = false
      let turns = 0
      const asked = { tokenIn: WHYPE, tokenOut: USDC, amountIn: 20_000n * E18 }
      const done = threads
        .search(recorded, { name: 'sell', asked, options: {} }, terms)
        .finally(() => {
          isOver = true
        })
      while (!isOver) {
        await nextTurn()
        turns += 1
      }
      await done
      return turns
    }
    // A busy machine can hold this thread still for a whole search; a search in the loop holds it each time.
    await vi.waitUntil(async () => (await turnsDuringSearch()) > 1, { timeout: BUDGET_MS })
  })

  it('waits for no search of another key, however many there are', async () => {
    const order: string[] = []
    const ask = async (key: string) => {
      const asked = { tokenIn: WHYPE, tokenOut: USDC, amountIn: 10n ** 40n }
      const search = { name: 'nearest', asked, options: {} } as const
      await threads.search(recorded, search, { ...terms, key })
      order.push(key)
    }
    const flood = Array.from({ length: 6 }, () => ask('flood'))
    await ask('polite')
    // The one that ran beside it may end first, and one more while the state goes to the second thread.
    expect(order.filter((key) => key === 'flood').length).toBeLessThan(4)
    await Promise.all(flood)
    expect(order.length).toBe(7)
  })

  it('of a request that has begun goes before those of its key that have not, but the next', async () => {
    const order: string[] = []
    const ask = async (name: string, isContinued: boolean) => {
      const asked = { tokenIn: WHYPE, tokenOut: USDC, amountIn: E18 }
      const search = { name: 'sell', asked, options: {} } as const
      await threads.search(recorded, search, { ...terms, isContinued })
      order.push(name)
    }
    const first = ask('first', false).then(() => ask('first again', true))
    await Promise.all([first, ask('second', false), ask('third', false)])
    expect(order).toEqual(['first', 'second', 'first again', 'third'])
  })

  it('is not begun for a caller who is gone', async () => {
    const asked = { tokenIn: WHYPE, tokenOut: USDC, amountIn: E18 }
    const gone = { ...terms, isWanted: () => false }
    await expect(
      threads.search(frozenGraph, { name: 'sell', asked, options: {} }, gone),
    ).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('is rejected if its thread ends, and the next one too, without a loop of starts', async () => {
    const ending = openSearchThreads(1, {
      program: new URL('data:text/javascript,process.exit(3)'),
    })
    const asked = { tokenIn: WHYPE, tokenOut: USDC, amountIn: E18 }
    const ask = () => ending.search(frozenGraph, { name: 'sell', asked, options: {} }, terms)
    await expect(ask()).rejects.toThrow('ended with 3')
    await expect(ask()).rejects.toThrow('ended with 3')
    await ending.close()
  })
})

/** Threads of this process; 0 where the system has no list of them. */
const threadsOfProcess = () =>
  existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : 0

/** The program of a thread that ends like one out of memory, or never answers, when it is asked for these amounts. */
const CRASH = 666_666n
const HANG = 777_777n
const broken = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    const listen = parentPort.on.bind(parentPort)
    parentPort.on = (name, answer) =>
      listen(name, (question) => {
        if (question.search.asked.amountIn === ${CRASH}n) process.exit(3)
        while (question.search.asked.amountIn === ${HANG}n);
        answer(question)
      })
    await import('${PROGRAM}')
  `)}`,
)

describe('a search that hangs', () => {
  it('loses its thread at the stated time after its limit, and the next search gets another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const logged: unknown[] = []
    const own = openSearchThreads(1, {
      ...{ program: broken, log: { error: (...words: unknown[]) => void logged.push(words) } },
    })
    const ask = (amountIn: bigint) => {
      const asked = { tokenIn: WHYPE, tokenOut: USDC, amountIn }
      return own.search(frozenGraph, { name: 'sell', asked, options: {} }, terms)
    }
    const sound = await ask(E18)
    expect(vi.getTimerCount()).toBe(0)
    const [hung, next] = [ask(HANG), ask(E18)]
    vi.advanceTimersByTime(BUDGET_MS + HANG_MS - 1)
    expect(logged).toEqual([])
    vi.advanceTimersByTime(1)
    expect(await hung).toMatchObject({
      ...{ tookMs: BUDGET_MS + HANG_MS, error: { code: 'DEADLINE_EXCEEDED' } },
    })
    expect(logged).toHaveLength(1)
    expect(answerOf(await next)).toEqual(answerOf(sound))
    vi.useRealTimers()
    await own.close()
  })
})

describe('an API that searches in threads', () => {
  it('answers INTERNAL for the order whose thread crashes, and every other as before, and leaves nothing behind', async () => {
    const own = openSearchThreads(2, { program: broken })
    const api = await startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE, search: own.search })
    const ask = async (amount: bigint) => {
      const query = { src: WHYPE, dst: USDC, amount: `${amount}` }
      return api.ask<Readonly<Record<string, unknown>>>('quote', query)
    }
    const { dstAmount } = (await ask(E18)).body
    await ask(CRASH)
    const before = threadsOfProcess()
    for (let n = 0; n < 10; n++) {
      const [crashed, other] = await Promise.all([ask(CRASH), ask(E18)])
      expect(crashed).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
      expect(JSON.stringify(crashed.body)).not.toContain('thread')
      expect(other).toMatchObject({ status: 200, body: { dstAmount } })
      expect(await ask(E18)).toMatchObject({ status: 200, body: { dstAmount } })
    }
    await vi.waitFor(() => expect(threadsOfProcess()).toBeLessThanOrEqual(before + 1))
    await api.stop()
    await own.close()
  })

  it('answers /healthz, /readyz and other keys before a search that began earlier', async () => {
    const begun: (() => void)[] = []
    const started = new Promise<void>((resolve) => begun.push(resolve))
    const search: Searcher = (...asked) => {
      for (const tell of begun) tell()
      return threads.search(...asked)
    }
    const api = await startTestApi({ graph: recorded, rpcUrl: NO_NODE, search })
    const { wrappedNative, tokens } = recorded.snapshot
    const amounts = Array.from({ length: 5 }, (_, n) => `${10n ** 30n + BigInt(n)}`).join(',')
    const dst = tokens.findLast(({ address }) => address !== wrappedNative)!.address
    let isOver = false
    const dear = Promise.all(
      Array.from({ length: 3 }, () =>
        api.ask('quotes', { src: wrappedNative, dst, amounts, includeNearest: 'true' }),
      ),
    ).finally(() => {
      isOver = true
    })
    await started
    for (const path of ['/healthz', '/readyz']) {
      expect((await api.get(path)).status).toBeLessThan(504)
      expect(isOver).toBe(false)
    }
    await dear
    await api.stop()
  })
})
