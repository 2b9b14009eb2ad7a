// Venues of which core is told something that is not so, each with a better price than the good one beside them.
import type { Venue } from '@braid-swap/chain'
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import {
  type Chain,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
  sortTokens,
  toSqrtPriceX96,
} from '@braid-swap/devnet'
import { createV2Pool, createV3Pool } from '@braid-swap/devnet/testing'
import { toFunctionSelector } from 'viem'
import { expect } from 'vitest'
import { compileDoubles } from '../families/doubles/compile.js'

const HYPE = 10n ** 18n

/** A venue for each fault. */
export type WrongVenues = Readonly<Record<'fee' | 'formula' | 'callback' | 'decimals', Venue>>

/** A pool whose code can be changed to one with another fee in swaps. */
export type ChangingPool = {
  readonly venue: Venue
  readonly pool: Address
  readonly code: Hex
  readonly changed: Hex
}

/**
 * Deploys a good venue of WHYPE and `money`, one wrong venue for each fault, and one whose pool may change. Those with
 * faults are named by them.
 */
export async function createWrongVenues(chain: Chain, money: Address) {
  const tokens = sortTokens(chain.wrappedNative, money)
  const pair = async (id: string, price: bigint) => {
    const v2 = await deployUniswapV2(chain, id)
    const amounts = [10_000n * HYPE, 10_000n * price * HYPE] as const
    const { address } = await createV2Pool(chain, v2, {
      tokens,
      amounts: tokens[0] === money ? [amounts[1], amounts[0]] : amounts,
    })
    const code = (await chain.client.getCode({ address }))!
    return { venue: v2.venue, pool: address, code }
  }
  const good = (await pair('good', 40n)).venue
  const cheap = await pair('wrong-fee', 42n)
  // Pairs multiply a balance by 1000 and subtract the amount in three times; this one subtracts it nine times.
  const bent = await pair('wrong-formula', 42n)
  await setCode(chain, bent.pool, patched(bent.code, '6003', '6009'))
  const ranged = await createRanged(chain, 'wrong-callback', { tokens, money })
  const selector = toFunctionSelector('function uniswapV3SwapCallback(int256,int256,bytes)')
  await setCode(chain, ranged.pool, patched(ranged.code, selector.slice(2), 'b4a1d001'))
  const scaled = await pair('wrong-decimals', 42n)
  const proxied = await addProxied(chain, { tokens, money })
  const wrong: WrongVenues = {
    fee: { ...cheap.venue, feePpm: 100 },
    formula: bent.venue,
    callback: ranged.venue,
    // A family that reads decimals where the pair has none.
    decimals: { ...scaled.venue, family: 'solidly' },
  }
  return { good, wrong, proxied }
}

type Pair = { readonly tokens: readonly [Address, Address]; readonly money: Address }

/** A venue of one V3 pool over the whole range, at the better price. */
async function createRanged(chain: Chain, id: string, { tokens, money }: Pair) {
  const v3 = await deployUniswapV3(chain, id)
  const { address } = await createV3Pool(chain, v3, {
    ...{ tokens, feePpm: 3000 },
    sqrtPriceX96: toSqrtPriceX96(tokens[0] === money ? 1 / 42 : 42),
    positions: [{ ...fullRange(v3.tickSpacings[3000]!), liquidity: 100_000n * HYPE }],
  })
  const code = (await chain.client.getCode({ address }))!
  return { venue: v3.venue, pool: address, code }
}

/** A V3 pool, and its code with a fee in swaps that its getter does not tell. */
async function addProxied(chain: Chain, of: Pair): Promise<ChangingPool> {
  const { venue, pool, code } = await createRanged(chain, 'proxied', of)
  const fee = (ppm: number) => ppm.toString(16).padStart(64, '0')
  const parts = code.split(fee(3000))
  for (const kept of parts.keys()) {
    const changed = parts.reduce((all, part, i) => all + fee(i === kept ? 3000 : 10_000) + part)
    await setCode(chain, pool, changed as Hex)
    const { data } = await chain.client.call({
      to: pool,
      data: toFunctionSelector('function fee()'),
    })
    if (kept > 0 && BigInt(data!) === 3000n) {
      await setCode(chain, pool, code)
      return { venue, pool, code, changed: changed as Hex }
    }
  }
  throw new Error('the code has no fee')
}

/** Puts a proxy at a pool, and the codes at addresses of their own. */
export async function placeProxy(chain: Chain, pool: Address, codes: readonly [Hex, Hex]) {
  const { ProxyDouble } = compileDoubles(['ProxyDouble.sol'])
  const data = ProxyDouble!.bytecode
  const [receipt] = await chain.execute([
    { label: 'deploy', from: chain.deployer, data, gas: 1_000_000n },
  ])
  const places = [toHex(0xc0de01, 20), toHex(0xc0de02, 20)] as const
  for (const [i, place] of places.entries()) await setCode(chain, place, codes[i]!)
  await setCode(chain, pool, (await chain.client.getCode({ address: receipt!.contractAddress! }))!)
  return places
}

/** The code with one part replaced, each time it occurs. */
function patched(code: Hex, from: string, to: string): Hex {
  expect(code).toContain(from)
  return code.replaceAll(from, to) as Hex
}

/** Replaces the code of an account. */
export const setCode = (chain: Chain, address: Address, code: Hex) =>
  chain.client.request({ method: 'anvil_setCode', params: [address, code] } as never)
