import type { wire } from '@braid-swap/api'
import { type ServedApi, startServedApi } from '@braid-swap/api/testing'
import {
  advanceMarket,
  type Client,
  createClient,
  loadSnapshot,
  type Market,
  readHeader,
} from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import {
  type Chain,
  deployRouter,
  deployUniswapV2,
  startChain,
  type UniswapV2,
} from '@braid-swap/devnet'
import { createToken } from '@braid-swap/devnet/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMintedPair, deployOddToken, setPool } from '../families/doubles/oddTokens.js'
import { createTamperedClient, rpcError } from './tampered.js'

const kinds = {
  OddToken: undefined,
  SilentToken: undefined,
  WrapperToken: undefined,
  FineWrapperToken: undefined,
  FeeToken: 'TOKEN_TAKES_FEE',
  SaleFeeToken: 'TOKEN_TAKES_FEE',
  SenderFeeToken: 'TOKEN_TAKES_FEE',
  TrapToken: 'TOKEN_STUCK',
  PausedToken: 'TOKEN_STUCK',
  FalseToken: 'TOKEN_STUCK',
  RoundingToken: 'TOKEN_REBASES',
  SharesToken: 'TOKEN_REBASES',
} as const
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]

const AMOUNT = 10n ** 21n

let chain: Chain
let client: Client
let v2: UniswapV2
let money: Address
const tokens = {} as Record<Kind, Address>
const pairs = {} as Record<Kind, Address>

beforeAll(async () => {
  chain = await startChain()
  client = createClient(chain.rpcUrl)
  v2 = await deployUniswapV2(chain, 'test-v2')
  money = (await createToken(chain, { symbol: 'MONEY', name: 'Money', decimals: 6 })).address
  for (const name of names) await addPair(name)
})
afterAll(() => chain?.stop())

async function addPair(name: Kind, amount = AMOUNT): Promise<void> {
  tokens[name] = await deployOddToken(chain, name)
  pairs[name] = await createMintedPair(chain, v2, {
    tokens: [tokens[name], money],
    amounts: [amount, amount],
  })
  if (name === 'SaleFeeToken' || name === 'TrapToken')
    await setPool(chain, tokens[name], pairs[name])
}

const load = (by = client) =>
  loadSnapshot(by, { venues: [v2.venue], wrappedNative: chain.wrappedNative })

const refreshed = async (market: Market) =>
  advanceMarket(client, market, {
    head: { header: await readHeader(client, 'latest'), receivedAtMs: 1 },
    venues: [v2.venue],
  })

const codesOf = ({ trust: { flawed } }: Market) =>
  Object.fromEntries(flawed.map(({ address, code }) => [address, code]))

describe('a request for a quote', () => {
  let api: ServedApi
  beforeAll(async () => {
    const { router } = await deployRouter(chain)
    const { wrappedNative } = chain
    api = await startServedApi(chain, { router, wrappedNative, venues: [v2.venue] })
  })
  afterAll(() => api?.stop())

  it.each(names)('of %s gets a quote or the reason why there is none', async (name) => {
    const params = { src: tokens[name], dst: money, amount: '1000000000' }
    const { status, body } = await api.get<wire.ErrorBody>('/swap/v1/999/quote', params)
    const { code, issues, message } = body
    const flaw = kinds[name]
    if (flaw === undefined) return expect([status, message]).toEqual([200, undefined])
    expect([status, code]).toEqual([422, 'TOKEN_UNSUPPORTED'])
    expect(issues).toMatchObject([{ path: 'src', code: flaw }])
    expect(message).toContain(tokens[name])
  })
})

describe('tokens are tested before their pools are used', () => {
  it('tokens of new pools too, once the pools have liquidity', async () => {
    const before = await load()
    await addPair('FeeToken', 0n)
    const empty = await refreshed(before)
    expect(empty.state.setAside.at(-1)).toMatchObject({ id: pairs.FeeToken, code: 'POOL_EMPTY' })
    expect(empty.state.snapshot.tokens.map(({ address }) => address)).not.toContain(tokens.FeeToken)
    await addPair('TrapToken')
    await addPair('OddToken')
    const market = await refreshed(empty)
    expect(codesOf(market)[tokens.TrapToken]).toBe('TOKEN_STUCK')
    const served = market.state.snapshot.pools.map(({ id }) => id)
    expect(served).toContain(pairs.OddToken)
    expect(served).not.toContain(pairs.TrapToken)
    expect(codesOf(market)).toEqual(codesOf(await load()))
  })
})

describe('a node without code overrides', () => {
  it.each([
    [
      'refuses',
      () => {
        throw rpcError({ method: 'eth_call' }, { code: -32602, message: 'too many arguments' })
      },
    ],
    ['ignores it', (ask: () => Promise<unknown>) => ask()],
  ])('%s: only shares are found out', async (_, answer) => {
    const plain = createTamperedClient(chain.rpcUrl, (request, ask) => {
      const params = request.params as readonly unknown[] | undefined
      if (request.method !== 'eth_call' || params?.length !== 3) return ask(request)
      return answer(() => ask({ ...request, params: params.slice(0, 2) }))
    })
    const market = await load(plain)
    expect(codesOf(market)).toEqual({ [tokens.SharesToken]: 'TOKEN_REBASES' })
  })
})
