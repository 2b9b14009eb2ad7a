import { type Address, buildGraph, quote, quoteExactOut } from '@braid-swap/core'
import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { beforeAll, expect, it } from 'vitest'
import type { Market } from '../market.js'
import { adversarialCases } from '../markets/adversarial.js'
import { loadEthereum } from '../markets/ethereum.js'
import { ANY_LEGS, type Request, toRequest } from '../request.js'
import { tryOne } from '../trial.js'
import { braid } from './braid.js'
import { kyber } from './kyber.js'
import type { Router } from './router.js'
import { waterFill } from './waterFill.js'

const WBTC: Address = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'
const USDT: Address = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const PYUSD: Address = '0x6c3ea9036406852006290770bedfcaba0e23a0e8'
const AMPL: Address = '0xd46ba6d942050d489dbd938a2c909a5d5039a161'
const TBTC: Address = '0x18084fba666a33d37592fa2633fd49a74dd93a88'
const CCBCH: Address = '0xdb792b1d8869a7cfc34916d6c845ff05a7c9b789'
const DEEP_IN: Address = '0xd31a59c85ae9d8edefec411d448f90841571b89c'
const DRAINED_IN: Address = '0x64aa3364f17a4d01c6f1751fd97c2bd3d7e7f1d5'
const DRAINED_OUT: Address = '0xaf1157149ff040dad186a0142a796d901bef1cf1'
const CBBTC: Address = '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'
const SHORT_OUT: Address = '0x9be89d2a4cd102d8fecc6bf9da793be995c22541'
const THIN_OUT: Address = '0x01a8b61e7b03891a736b5df865e0ef9c511850ad'
const ENDLESS_IN: Address = '0x68749665ff8d2d112fa859aa293f07a622782f38'
const ENDLESS_OUT: Address = '0xdd468a1ddc392dcdbef6db6e34e89aa338f9f186'
const EURC: Address = '0x1abaea1f7c830bd89acc67ec4af516284b1bc33c'

// Orders on which the solver was once worse than a greedy split in chunks.
describeReferenceVectors('the solver on the recorded market', () => {
  let market: Market
  beforeAll(() => {
    market = loadEthereum().clean
  })
  const ask = (tokenIn: Address, tokenOut: Address, amountIn: bigint, maxLegs: number): Request =>
    toRequest(market, {
      ...{ id: 'order', label: 'order', order: { tokenIn, tokenOut, amountIn } },
      ...{ gwei: 1, maxLegs },
    })
  const netOf = async (router: Router, request: Request) =>
    (await tryOne(await router.ready(market), request)).worth!.net

  it('places an order that drains its pools', async () => {
    const request = ask(WBTC, PYUSD, 7_129_256_637n, 4)
    expect(await netOf(braid, request)).toBeGreaterThan(await netOf(kyber, request))
  })

  it('keeps a bridge together with the best legs into it', async () => {
    const request = ask(WBTC, USDT, 28_517_026n, ANY_LEGS)
    expect(await netOf(braid, request)).toBeGreaterThan(await netOf(kyber, request))
  })

  // Elimination without roll-backs paid less than half of the first two, elimination of edges that the
  // source needs a seventh of the third, a path search with few labels a sixtieth of the
  // fourth, shares rounded up into full pools 3.6 % less of the last.
  it.each([
    [DEEP_IN, PYUSD, 334_317_775_890_535n, 20, 0n, 258_700_000_000],
    [WBTC, PYUSD, 7_129_256_637n, 24, 10n ** 9n, 258_700_000_000],
    [PYUSD, SHORT_OUT, 4_999_949_645_175n, 24, 10n ** 9n, 78_600_000],
    [DRAINED_IN, DRAINED_OUT, 13_058_212_200_126n, 16, 0n, 29_000_000_000],
    [PYUSD, USDT, 9_999_899_290_351n, 6, 10n ** 9n, 461_400_000_000],
  ] as const)(
    'pays what an order that drains its pools is worth: %s for %s',
    (tokenIn, tokenOut, amountIn, maxLegs, gasPrice, least) => {
      const options = { maxLegs, maxGas: Number.POSITIVE_INFINITY, gasPrice }
      const { amountOut } = quote(
        buildGraph(market.snapshot),
        { tokenIn, tokenOut, amountIn },
        options,
      )
      expect(Number(amountOut)).toBeGreaterThan(least)
    },
  )

  it.each([
    [CBBTC, THIN_OUT, 878_431_643n],
    [ENDLESS_IN, ENDLESS_OUT, 473_776_997_782_466_909_437_952n],
  ])(
    'refuses an amount that its pools cannot pay, whose marginal price falls without end: %s for %s',
    (tokenIn, tokenOut, amountOut) => {
      const order = { tokenIn, tokenOut, amountOut }
      const options = { gasPrice: 10n ** 8n, maxGas: Number.POSITIVE_INFINITY }
      const code = 'INSUFFICIENT_LIQUIDITY'
      expect(() => quoteExactOut(buildGraph(market.snapshot), order, options)).toThrow(
        expect.objectContaining({ code }),
      )
    },
  )

  it('grows a narrow split from a shorter path than the best', async () => {
    const narrow = await netOf(braid, ask(AMPL, EURC, 415_820_709_562_757n, 5))
    // The best path alone, with five legs, outputs 4.8 % less.
    expect(narrow).toBeGreaterThan(202_000_000_000)
  })

  // tBTC has no pool with WETH, and only WETH has one with ccBCH: three hops are the least.
  it.each([3, 4, 5, 6, 12, 24, ANY_LEGS])(
    'finds the path that fits the last pool at a cap of %s legs',
    (maxLegs) => {
      const order = { tokenIn: TBTC, tokenOut: CCBCH, amountIn: 10_017_001_360_712_241_152n }
      for (const gasPrice of [0n, 10n ** 9n]) {
        const options = { maxLegs, maxGas: Number.POSITIVE_INFINITY, gasPrice }
        const { amountOut, bound } = quote(buildGraph(market.snapshot), order, options)
        // The output of the first route found at a cap of three, once.
        expect(amountOut).toBeGreaterThanOrEqual(22_575_049_904n)
        expect(bound!.amount).toBeGreaterThan(0n)
      }
    },
  )
})

it('rounds coarse tokens as well as a split in 256 chunks', async () => {
  const { market, request } = adversarialCases(1, 3).find(
    ({ request }) => request.id === 'odd decimals-0',
  )!
  const rival = await tryOne(await waterFill(256).ready(market), request)
  const ours = await tryOne(await braid.ready(market), { ...request, maxLegs: rival.worth!.legs })
  expect(ours.worth!.net).toBeGreaterThanOrEqual(rival.worth!.net)
})
