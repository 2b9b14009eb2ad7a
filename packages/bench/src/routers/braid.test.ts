import { type Address, buildGraph, quoteExactOut } from '@braid-swap/core'
import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { beforeAll, expect, it } from 'vitest'
import { tryOne } from '../goals/trial.js'
import type { Market } from '../market.js'
import { adversarialCases } from '../markets/adversarial.js'
import { loadEthereum } from '../markets/ethereum.js'
import { ANY_LEGS, type Request, toRequest } from '../request.js'
import { braid } from './braid.js'
import { kyber } from './kyber.js'
import type { Router } from './router.js'
import { waterFill } from './waterFill.js'

const WBTC: Address = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'
const USDT: Address = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const AMPL: Address = '0xd46ba6d942050d489dbd938a2c909a5d5039a161'
const CBBTC: Address = '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'
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

  it('keeps a bridge together with the best legs into it', async () => {
    const request = ask(WBTC, USDT, 28_517_026n, ANY_LEGS)
    expect(await netOf(braid, request)).toBeGreaterThan(await netOf(kyber, request))
  })

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
})

it('rounds coarse tokens as well as a split in 256 chunks', async () => {
  const { market, request } = adversarialCases(1, 3).find(
    ({ request }) => request.id === 'odd decimals-0',
  )!
  const rival = await tryOne(await waterFill(256).ready(market), request)
  const ours = await tryOne(await braid.ready(market), { ...request, maxLegs: rival.worth!.legs })
  expect(ours.worth!.net).toBeGreaterThanOrEqual(rival.worth!.net)
})
