import { NATIVE } from '@braid-swap/core'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../testing/checkAnswer.js'
import { ISLAND, UBTC, USDC, WHYPE } from '../../testing/frozenMarket.js'
import { TEST_ROUTER } from '../../testing/startTestApi.js'
import { useTestWorld } from '../../testing/useFrozenApi.js'
import type { ErrorBody, SwapBody } from '../../wire/responses.js'

const HYPE = 10n ** 18n
const FROM = '0x00000000000000000000000000000000000000aa'
const sale = { src: NATIVE, dst: USDC, amount: `${10n * HYPE}` }
const swap = { ...sale, from: FROM, slippage: '0.5', disableEstimate: 'true' }

const world = useTestWorld({ config: { compat: ['1inch'] } })

/** Asks with 1inch's header; the answer must be as the OpenAPI document says. */
async function ask<B = Readonly<Record<string, unknown>>>(
  name: string,
  query: Readonly<Record<string, string>> = {},
  { version = '6.0', key = world.api.key } = {},
) {
  const path = `/swap/v${version}/999/${name}?${new URLSearchParams(query)}`
  const headers = { apikey: '', authorization: `Bearer ${key}` }
  const { status, body } = await world.api.get<B>(path, headers)
  expect(checkAnswer({ path, status, body }, ['1inch'])).toEqual([])
  return { status, body }
}

describe.each(['6.0', '6.1'])('1inch: /swap/v%s', (version) => {
  const at = { version }

  it('has the recorded fields of a quote, each where it is asked for', async () => {
    expect(Object.keys((await ask('quote', sale, at)).body)).toEqual(['dstAmount'])
    const flags = { includeTokensInfo: 'true', includeProtocols: 'true', includeGas: 'true' }
    const { body } = await ask('quote', { ...sale, ...flags }, at)
    expect(body).toEqual({
      dstAmount: expect.stringMatching(/^\d+$/),
      srcToken: expect.objectContaining({ address: NATIVE, symbol: 'HYPE', decimals: 18 }),
      dstToken: {
        ...{ address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6, tags: [] },
        logoURI: expect.stringMatching(/^https:/),
      },
      protocols: expect.any(Array),
      gas: expect.any(Number),
    })
  })

  it('answers as our own /swap does, with the gas as a number', async () => {
    const { body } = await ask<{ dstAmount: string; tx: SwapBody['tx'] }>('swap', swap, at)
    const own = await world.api.get<SwapBody>(
      `/swap/v1/999/swap?${new URLSearchParams({ ...sale, from: FROM, slippage: '0.5', skipChecks: '1' })}`,
    )
    const { gas, ...tx } = own.body.tx
    expect(body).toEqual({ dstAmount: own.body.dstAmount, tx: { ...tx, gas: Number(gas) } })
  })
})

describe('1inch: /swap/v6.0', () => {
  it('shows parallel paths whose parts sum to 100', async () => {
    type Selected = { name: string; part: number; fromTokenAddress: string; toTokenAddress: string }
    const order = { src: NATIVE, dst: UBTC, amount: `${2_000n * HYPE}`, includeProtocols: 'true' }
    const { body } = await ask<{ protocols: Selected[][][] }>('quote', order)
    const parts = body.protocols.map(([first]) => first![0]!.part)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(100)
    for (const path of body.protocols) {
      expect(path[0]![0]!.fromTokenAddress).toBe(NATIVE)
      expect(path.at(-1)![0]!.toTokenAddress).toBe(UBTC)
    }
  })

  it('checks balance and allowance unless disableEstimate says not to', async () => {
    const from = world.chain.accounts[8]!.address
    const order = { src: USDC, dst: NATIVE, amount: '5000000', slippage: '1', from }
    const poor = await ask<ErrorBody & { description: string }>('swap', order)
    expect([poor.status, poor.body.code]).toEqual([400, 'BALANCE_INSUFFICIENT'])
    expect(poor.body.description).toContain('holds 0 USDC')
    expect((await ask('swap', { ...order, disableEstimate: 'true' })).status).toBe(200)
  })

  it('approves, reads allowances, lists tokens and venues, and is healthy', async () => {
    const router = getAddress(TEST_ROUTER)
    expect((await ask('approve/spender')).body).toEqual({ address: router })
    const approval = await ask('approve/transaction', { tokenAddress: USDC, amount: '7' })
    expect(approval.body).toMatchObject({ to: getAddress(USDC), value: '0' })
    const question = { tokenAddress: USDC, walletAddress: FROM }
    expect((await ask('approve/allowance', question)).body).toEqual({ allowance: '0' })
    const { tokens } = (await ask<{ tokens: Record<string, object> }>('tokens')).body
    expect(tokens[USDC]).toMatchObject({ address: USDC, symbol: 'USDC', decimals: 6 })
    const { protocols } = (await ask<{ protocols: object[] }>('liquidity-sources')).body
    expect(protocols).toContainEqual({
      ...{ id: 'test-v2', title: 'test-v2', img: '', img_color: '' },
    })
    expect((await ask('healthcheck')).body).toEqual({ status: 'OK' })
  })

  it('uses or excludes venues', async () => {
    type Body = { readonly protocols: readonly { readonly name: string }[][][] }
    const names = async (query: Record<string, string>) => {
      const order = { ...sale, src: WHYPE, includeProtocols: 'true', ...query }
      return new Set((await ask<Body>('quote', order)).body.protocols.flat(2).map((p) => p.name))
    }
    expect(await names({ protocols: 'test-v2' })).toEqual(new Set(['test-v2']))
    expect(await names({ excludedProtocols: 'test-v2' })).toEqual(new Set(['test-v3']))
  })

  it.each([
    [{ src: NATIVE }, 400, 'MISSING_PARAMETER', ['dst', 'amount', 'from', 'slippage']],
    [{ ...swap, fee: '1' }, 400, 'AMOUNT_OUT_OF_RANGE', ['fee']],
    [{ ...swap, minReturn: '1' }, 400, 'AMOUNT_OUT_OF_RANGE', ['minReturn']],
    [{ ...swap, permit: '0x12' }, 400, 'AMOUNT_OUT_OF_RANGE', ['permit']],
    [{ ...swap, usePermit2: 'true' }, 400, 'AMOUNT_OUT_OF_RANGE', ['usePermit2']],
    [{ ...swap, protocols: 'UNISWAP_V3' }, 400, 'INVALID_ENUM', ['protocols']],
    [{ ...swap, dst: ISLAND }, 422, 'NO_ROUTE', []],
  ])('%j is refused with its description', async (query, status, code, types) => {
    type Refusal = ErrorBody & { description: string; meta: { type: string }[] }
    const { status: got, body } = await ask<Refusal>('swap', query as Record<string, string>)
    expect([got, body.code, body.description]).toEqual([status, code, body.message])
    expect(body.meta.map(({ type }) => type)).toEqual(types)
  })

  it('refuses a wrong key, and a missing one', async () => {
    for (const [key, code] of [
      ['nobody', 'API_KEY_INVALID'],
      ['', 'API_KEY_MISSING'],
    ] as const) {
      const { status, body } = await ask<ErrorBody>('quote', sale, { key })
      expect([status, body.code]).toEqual([401, code])
    }
  })
})
