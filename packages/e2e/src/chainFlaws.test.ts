import {
  type Client,
  createClient,
  loadSnapshot,
  type Market,
  readHeader,
  refresh,
} from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import {
  type Chain,
  createToken,
  deployUniswapV2,
  startChain,
  type UniswapV2,
} from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTamperedClient, rpcError } from './chainTampered.js'
import { createMintedPair, deployOddToken, setPool } from './doubles/oddTokens.js'

const kinds = {
  OddToken: undefined,
  SilentToken: undefined,
  WrapperToken: undefined,
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
  refresh(client, market, {
    head: { header: await readHeader(client, 'latest'), receivedAtMs: 1 },
    venues: [v2.venue],
  })

const codesOf = ({ flawed }: Market) =>
  Object.fromEntries(flawed.map(({ address, code }) => [address, code]))

describe('tokens are tried before a pool of theirs is served', () => {
  it.each(names)('%s', async (name) => {
    const market = await load()
    expect(codesOf(market)[tokens[name]]).toBe(kinds[name])
    const served = market.snapshot.pools.map(({ id }) => id)
    const aside = market.setAside.filter(({ id }) => id === pairs[name]).map(({ code }) => code)
    expect(served.includes(pairs[name])).toBe(kinds[name] === undefined)
    expect(aside).toEqual(kinds[name] === undefined ? [] : [kinds[name]])
  })

  it('those of new pools too, when there is something in them', async () => {
    const before = await load()
    await addPair('FeeToken', 0n)
    const empty = await refreshed(before)
    expect(empty.setAside.at(-1)).toMatchObject({ id: pairs.FeeToken, code: 'POOL_EMPTY' })
    expect(empty.snapshot.tokens.map(({ address }) => address)).not.toContain(tokens.FeeToken)
    await addPair('TrapToken')
    await addPair('OddToken')
    const market = await refreshed(empty)
    expect(codesOf(market)[tokens.TrapToken]).toBe('TOKEN_STUCK')
    const served = market.snapshot.pools.map(({ id }) => id)
    expect(served).toContain(pairs.OddToken)
    expect(served).not.toContain(pairs.TrapToken)
    expect(codesOf(market)).toEqual(codesOf(await load()))
  })
})

describe('a node that replaces no code', () => {
  it.each([
    [
      'refuses',
      () => {
        throw rpcError({ method: 'eth_call' }, { code: -32602, message: 'too many arguments' })
      },
    ],
    ['ignores it', (ask: () => Promise<unknown>) => ask()],
  ])('%s: only shares are found out, by few more requests', async (_, answer) => {
    let asked = 0
    const plain = createTamperedClient(chain.rpcUrl, (request, ask) => {
      const params = request.params as readonly unknown[] | undefined
      if (request.method !== 'eth_call' || params?.length !== 3) return ask(request)
      asked += 1
      return answer(() => ask({ ...request, params: params.slice(0, 2) }))
    })
    const market = await load(plain)
    expect(codesOf(market)).toEqual({ [tokens.SharesToken]: 'TOKEN_REBASES' })
    await load(plain)
    expect(asked).toBe(1)
  })
})
