import { buildGraph, type Graph, NATIVE } from '@braid-swap/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ErrorCode, errorTable } from '../errors.js'
import { close, createHttpServer, listen } from '../http/httpServer.js'
import { createKey } from '../keys/keys.js'
import { checkAnswer } from '../testing/checkAnswer.js'
import { frozenGraph, frozenSnapshot, ISLAND, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import { sendRaw } from '../testing/sendRaw.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'
import { type ErrorBody, errorSchema } from '../wire/responses.js'

const HYPE = 10n ** 18n
const SIGNATURE = `0x${'11'.repeat(65)}`
const WRONG_CHECKSUM = '0xB88339CB7199b77E23DB6E890353E22632Ba630f'
const order = { src: WHYPE, dst: USDC, amount: `${HYPE}` }
const swap = { ...order, slippage: '1' }

type Params = Readonly<Record<string, string>>
type Refusal = { readonly status: number; readonly body: ErrorBody }
const at = (endpoint: string, params: Params) =>
  `/swap/v1/999/${endpoint}?${new URLSearchParams(params)}`

let world: TestWorld
let api: TestApi
let silent: ReturnType<typeof createHttpServer>
let silentUrl: string
beforeAll(async () => {
  silent = createHttpServer(() => {})
  const { port } = await listen(silent, { host: '127.0.0.1', port: 0 })
  silentUrl = `http://127.0.0.1:${port}`
  world = await startTestWorld()
  api = world.api
})
afterAll(async () => {
  await world?.stop()
  silent?.closeAllConnections()
  if (silent) await close(silent)
})
afterEach(() => {
  api.setNow(RECEIVED_AT_MS)
  api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
})

const quote = (more: Params = {}) => api.get<ErrorBody>(at('quote', { ...order, ...more }))
const swapOf = (more: Params) => api.get<ErrorBody>(at('swap', { ...swap, ...more }))
const pathOf = (path: string) => api.get<ErrorBody>(path)

let keysReadAtMs = RECEIVED_AT_MS

/** Asks an API that is set up otherwise, and ends it. */
async function elsewhere(
  options: Partial<Parameters<typeof startTestApi>[0]>,
  ask: (other: TestApi) => Promise<Refusal>,
): Promise<Refusal> {
  const other = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9', ...options })
  try {
    return await ask(other)
  } finally {
    await other.stop()
  }
}

async function withKey(terms: object, headers: Params, times = 1): Promise<Refusal> {
  const { key } = await createKey(api.keysFile, { label: 'test', ...terms })
  // Past the time after which the file is read again.
  keysReadAtMs += 6_000
  api.setNow(keysReadAtMs)
  const ask = () => api.get<ErrorBody>(at('approve/spender', {}), { apikey: key, ...headers })
  for (let i = 1; i < times; i++) await ask()
  return ask()
}

async function raw(bytes: string, url = api.url): Promise<Refusal> {
  const [head = '', body = ''] = (await sendRaw(url, bytes)).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}

/** A token in the router's place: it reverts whatever it is not made for. */
function simulateElsewhere(): Promise<Refusal> {
  return elsewhere({ rpcUrl: world.chain.rpcUrl, config: { router: USDC } }, (other) =>
    other.get<ErrorBody>(at('swap', { ...swap, src: NATIVE, simulate: '1' })),
  )
}

/** The same, for a sender that can pay. */
function estimateElsewhere(): Promise<Refusal> {
  const from = world.chain.accounts[5]!.address
  return elsewhere({ rpcUrl: world.chain.rpcUrl, config: { router: USDC } }, (other) =>
    other.get<ErrorBody>(at('swap', { ...swap, src: NATIVE, from })),
  )
}

const tokenList = new Map([[PURR, { unsupported: 'takes a fee on every transfer' }]])
const broken = { snapshot: frozenSnapshot } as Graph
const allowance = at('approve/allowance', { tokenAddress: USDC, walletAddress: USDC })

/** Causes each code; the compiler asks for one for every code of the table. */
const provoked: Readonly<Record<ErrorCode, () => Promise<Refusal>>> = {
  MISSING_PARAMETER: () => pathOf(at('quote', {})),
  INVALID_CHAIN_ID: () => pathOf('/swap/v1/x/quote'),
  INVALID_ADDRESS: () => quote({ src: '0x12' }),
  INVALID_CHECKSUM: () =>
    elsewhere({ config: { strictChecksum: true } }, (other) =>
      other.get<ErrorBody>(at('quote', { ...order, dst: WRONG_CHECKSUM })),
    ),
  INVALID_AMOUNT: () => quote({ amount: '1e18' }),
  AMOUNT_AMBIGUOUS: () => quote({ dstAmountExact: '1' }),
  AMOUNT_ZERO: () => quote({ amount: '0' }),
  AMOUNT_OUT_OF_RANGE: () => quote({ amount: `${2n ** 256n}` }),
  INVALID_SLIPPAGE: () => swapOf({ slippage: '51' }),
  INVALID_BOOLEAN: () => quote({ includeGas: 'maybe' }),
  INVALID_ENUM: () => quote({ exactQuote: 'perhaps' }),
  INVALID_SIGNATURE: () => swapOf({ permit: '0x12', deadline: '99999999999' }),
  DUPLICATE_PARAMETER: () => pathOf(`${at('quote', order)}&amount=1`),
  UNKNOWN_PARAMETER: () => quote({ Src: USDC }),
  SAME_TOKEN: () => quote({ dst: WHYPE.toUpperCase().replace('X', 'x') }),
  NATIVE_NOT_APPROVABLE: () => swapOf({ src: NATIVE, permit: SIGNATURE, deadline: '99999999999' }),
  RECEIVER_REFUSED: () => swapOf({ receiver: WHYPE }),
  TOKEN_NOT_FOUND: () => quote({ dst: `0x${'12'.repeat(20)}` }),
  BALANCE_INSUFFICIENT: () => swapOf({ src: USDC, dst: WHYPE, amount: '5', from: PURR }),
  ALLOWANCE_INSUFFICIENT: async () => {
    const from = world.chain.accounts[3]!.address
    await world.chain.fund(from, USDC, 5n)
    return swapOf({ src: USDC, dst: WHYPE, amount: '5', from })
  },
  GAS_NOT_COVERED: async () => {
    const address = world.chain.accounts[4]!.address
    const balance = 10n ** 15n
    await world.chain.client.setBalance({ address, value: balance })
    return swapOf({ src: NATIVE, dst: USDC, amount: `${balance}`, from: address })
  },
  API_KEY_MISSING: () => api.get<ErrorBody>(at('quote', order), { apikey: '' }),
  API_KEY_INVALID: () => api.get<ErrorBody>(at('quote', order), { apikey: 'x' }),
  API_KEY_FORBIDDEN: () => withKey({ origins: ['https://a.test'] }, { origin: 'https://b.test' }),
  NOT_FOUND: () => pathOf('/swap/v1/999/nothing'),
  CHAIN_NOT_SUPPORTED: () => pathOf('/swap/v1/1/quote'),
  METHOD_NOT_ALLOWED: () =>
    raw(
      `POST ${at('quote', order)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\napikey: ${api.key}\r\n\r\n`,
    ),
  BAD_REQUEST: () => raw('HELLO\r\n\r\n'),
  INVALID_BODY: () =>
    elsewhere({ page: new Map(), config: { demo: { account: PURR } } }, (other) =>
      raw(
        `POST /demo/rpc HTTP/1.1\r\nhost: ${new URL(other.url).host}\r\nconnection: close\r\n\r\n`,
        other.url,
      ),
    ),
  URI_TOO_LONG: () => pathOf(`/${'a'.repeat(9_000)}`),
  HEADERS_TOO_LARGE: () => raw(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`),
  REQUEST_TIMEOUT: async () => {
    const slow = createHttpServer(undefined, { requestTimeoutMs: 100 })
    const { port } = await listen(slow, { host: '127.0.0.1', port: 0 })
    const refusal = await raw('GET / HTTP/1.1\r\nx-slow: ', `http://127.0.0.1:${port}`)
    await close(slow)
    return refusal
  },
  WRONG_CHAIN: () =>
    elsewhere({ chainFault: 'chain 1 instead of 999' }, (other) =>
      other.get<ErrorBody>(at('quote', order)),
    ),
  SHUTTING_DOWN: () =>
    elsewhere({ isDraining: true }, (other) => other.get<ErrorBody>(at('quote', order))),
  MARKET_RECORDED: () =>
    elsewhere({ recorded: { readTexts: async () => [] } }, (other) =>
      other.get<ErrorBody>(at('swap', swap)),
    ),
  STATE_NOT_RETAINED: () => quote({ block: '7' }),
  PRICE_IMPACT_TOO_HIGH: () => quote({ amount: `${20_000n * HYPE}`, maxPriceImpact: '0.1' }),
  TOKEN_UNSUPPORTED: () =>
    elsewhere({ config: { tokenList } }, (other) =>
      other.get<ErrorBody>(at('quote', { ...order, dst: PURR })),
    ),
  SIMULATION_REVERTED: simulateElsewhere,
  SWAP_WOULD_REVERT: estimateElsewhere,
  NO_ROUTE: () => quote({ dst: ISLAND }),
  ROUTE_UNTRUSTED: () => quote({ src: PURR, dst: USDC, onlyIntermediates: ISLAND }),
  AMOUNT_TOO_SMALL: () => quote({ src: PURR, amount: '1' }),
  INSUFFICIENT_LIQUIDITY: () => {
    // Only the V3 pool is left, whose ticks end.
    const pools = frozenSnapshot.pools.filter(({ family }) => family !== 'uniswapV2')
    const graph = buildGraph({ ...frozenSnapshot, pools })
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    return quote({ amount: `${10n ** 30n}` })
  },
  RATE_LIMITED: () => withKey({ rate: 1, burst: 1 }, {}, 2),
  // Elsewhere, because swaps replay their routes in the states of the last minute.
  INTERNAL: () => elsewhere({ graph: broken }, (other) => other.get<ErrorBody>(at('quote', order))),
  NO_POOLS: () => {
    const graph = buildGraph({ ...frozenSnapshot, pools: frozenSnapshot.pools.slice(0, 1) })
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    return quote()
  },
  ROUTER_UNCONFIRMED: () =>
    elsewhere({ routerFault: 'no router there' }, (other) =>
      other.get<ErrorBody>(at('approve/spender', {})),
    ),
  // Nothing is at the test's router, and a call to nothing succeeds.
  SIMULATION_FAILED: () => swapOf({ src: NATIVE, simulate: '1' }),
  NOT_READY: () => {
    api.setState(null)
    return quote()
  },
  GAS_PRICE_ABSURD: () => {
    const gasPriceFault = 'the gas price is absurd'
    api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS, gasPriceFault })
    return swapOf({})
  },
  STATE_STALE: () => {
    api.setNow(RECEIVED_AT_MS + 5_001)
    return quote()
  },
  UPSTREAM_RPC: () => elsewhere({}, (other) => other.get<ErrorBody>(allowance)),
  OVERLOADED: () =>
    elsewhere(
      { rpcUrl: silentUrl, config: { maxConcurrent: 1, maxRequestMs: 300 } },
      async (other) => {
        // Whichever comes second is refused.
        const both = await Promise.all([1, 2].map(() => other.get<ErrorBody>(allowance)))
        return both.find(({ body }) => body.code === 'OVERLOADED')!
      },
    ),
  DEADLINE_EXCEEDED: () =>
    elsewhere({ rpcUrl: silentUrl, config: { maxRequestMs: 100 } }, (other) =>
      other.get<ErrorBody>(allowance),
    ),
}

describe('the table of errors', () => {
  it.each(Object.entries(provoked))('%s comes about as the table says', async (code, provoke) => {
    const { status, body } = await provoke()
    const { status: wanted, retryable } = errorTable[code as ErrorCode]
    expect(errorSchema.parse(body)).toMatchObject({ code, retryable, statusCode: wanted })
    expect(status).toBe(wanted)
    expect(Number(body.details['retryAfterSeconds']) >= 1).toBe(retryable)
    const path = body.path || '/nowhere'
    expect(checkAnswer({ path, status, body })).toEqual([])
  })
})
