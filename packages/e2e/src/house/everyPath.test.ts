/**
 * The paths that the API answers, read from its routers, beside the places that must know each of them:
 * the OpenAPI document, docs/api.md, the client and the hostile requests.
 */
import { readFileSync } from 'node:fs'
import {
  compatNames,
  endpoints,
  frozenSnapshot,
  hostilePaths,
  startTestApi,
  templateOf,
  USDC,
  WHYPE,
} from '@braid-swap/api/testing'
import { createBraid } from '@braid-swap/client'
import { buildGraph } from '@braid-swap/core'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Pages and files for people, and the document itself. */
const PAGES = /^\/($|llms\.txt$|openapi\.json$|reference)/

let paths: readonly string[]
let documented: readonly string[]
let stop = async () => {}
beforeAll(async () => {
  const api = await startTestApi({
    ...{ graph: buildGraph(frozenSnapshot), rpcUrl: 'http://127.0.0.1:9' },
    config: { compat: compatNames },
  })
  stop = api.stop
  paths = api.paths.filter((path) => !PAGES.test(path))
  const { body } = await api.get<{ readonly paths: object }>('/openapi.json')
  documented = Object.keys(body.paths)
})
afterAll(() => stop())

it('are those of the OpenAPI document, and no other', () => {
  expect(paths).toContain('/swap/v1/{chainId}/quote')
  expect(paths.toSorted()).toEqual(documented.toSorted())
})

it('are in docs/api.md', () => {
  const text = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
  const named = [...text.matchAll(/\/[\w.$/-]+…?/g)].map(([name]) => name)
  const isNamed = (path: string) =>
    named.some(
      (name) => name === path || (name.endsWith('…') && path.startsWith(name.slice(0, -1))),
    )
  const examples = paths.map((path) =>
    path.replace('{chainId}', '999').replace('{address}', '$usdc'),
  )
  expect(examples.filter((path) => !isNamed(path))).toEqual([])
})

it('are asked by hostile requests', () => {
  const asked = new Set(hostilePaths.map((path) => templateOf(path, compatNames)))
  expect(paths.filter((path) => !asked.has(path))).toEqual([])
})

it('are asked by a function of the client, unless they are another service’s or tell of health', async () => {
  const asked = new Set<string | undefined>()
  const braid = createBraid({
    ...{ url: 'http://braid.test', apiKey: 'none', retries: 0 },
    fetch: async (url) => {
      asked.add(templateOf(new URL(`${url}`).pathname))
      return new Response('{}', { status: 418 })
    },
  })
  const order = { src: WHYPE, dst: USDC, amount: 1n }
  const calls: Readonly<Record<keyof typeof braid, () => Promise<unknown>>> = {
    quote: () => braid.quote(order),
    quotes: () => braid.quotes({ src: WHYPE, dst: USDC, amounts: [1n] }),
    quoteStream: () => braid.quoteStream(order).next(),
    swap: () => braid.swap({ ...order, from: USDC, slippage: 1 }),
    compare: () => braid.compare(order),
    liquiditySources: () => braid.liquiditySources(),
    snapshotText: () => braid.snapshotText(),
    approval: () => braid.approval({ tokenAddress: USDC }),
    allowance: () => braid.allowance({ tokenAddress: USDC, walletAddress: WHYPE }),
    spender: () => braid.spender(),
    token: () => braid.token(USDC),
    tokens: () => braid.tokens(),
    allTokens: () => braid.allTokens(),
    version: () => braid.version(),
  }
  for (const call of Object.values(calls)) await expect(call()).rejects.toThrow()
  const keyed = endpoints.map(({ path }) => path)
  expect(keyed.filter((path) => !asked.has(path))).toEqual([])
  expect(asked).toContain('/version')
})
