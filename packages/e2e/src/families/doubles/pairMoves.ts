import { camelotFactoryDoubleAbi, solidlyFactoryDoubleAbi } from '@braid-swap/contracts/testing'
import { type CamelotPool, getAmountOut, type SolidlyPool } from '@braid-swap/core/families'
import { type Call, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData } from 'viem'
import { anyAmount } from '../differential/amounts.js'
import { type MovedFamily, movedFamily } from '../differential/following.js'
import { anyInteger } from '../differential/integers.js'
import type { QuotingPairs } from '../differential/quotingPairs.js'
import { depositCalls, type PairDoubles, pairCall } from './pairs.js'

type Pair = SolidlyPool | CamelotPool
type Market = QuotingPairs & PairDoubles

/** One random move in a pair of the given state: a swap, a deposit, a withdrawal, or new fees. */
function anyPairMove(market: Market, pair: Pair): readonly Call[] {
  const { random, chain } = market
  const { deployer } = chain
  const kind = random.next()
  if (kind < 0.55) return swapCalls(market, pair)
  if (kind < 0.7) {
    const part = BigInt(anyInteger(random, 2, 50))
    const amounts = [pair.reserves[0] / part + 1n, pair.reserves[1] / part + 1n] as const
    return depositCalls(deployer, { pair: pair.id, tokens: pair.tokens, amounts })
  }
  if (kind < 0.8) {
    const args = [BigInt(anyInteger(random, 1, 300)), deployer] as const
    return [pairCall(deployer, pair.id, { functionName: 'burn', args })]
  }
  if (kind < 0.85) return [pairCall(deployer, pair.id, { functionName: 'sync', args: [] })]
  return [feeCall(market, pair)]
}

/** Sends an input that the pair can take, and requests core's output. */
function swapCalls({ random, chain }: Market, pair: Pair): readonly Call[] {
  const direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const drawn = anyAmount(random, pair, direction)
  const most = pair.reserves[direction.in as 0 | 1]
  const amountIn = drawn < most ? drawn : most
  const amountOut = getAmountOut(pair, direction, amountIn)
  if (amountOut === 0n) return []
  const { deployer } = chain
  const token = pair.tokens[direction.in as 0 | 1]
  const outs = direction.out === 0 ? ([amountOut, 0n] as const) : ([0n, amountOut] as const)
  return [
    ...mintCalls(deployer, { token, to: pair.id, amount: amountIn }),
    pairCall(deployer, pair.id, { functionName: 'swap', args: [...outs, deployer, '0x'] }),
  ]
}

/** Changes a fee at the contract that stores it, or a Camelot pair's curve or owner's share. */
function feeCall({ random, chain, kind, venue }: Market, pair: Pair): Call {
  const { deployer } = chain
  const at = { label: `change a fee of ${pair.id}`, from: deployer, gas: 200_000n }
  const percent = anyInteger(random, 0, 500)
  if (kind !== 'camelot') {
    const [functionName, fee] =
      kind === 'ramses'
        ? (['setPairFee', BigInt(percent * 37)] as const)
        : (['setCustomFee', BigInt(random.pick([0, 1, 30, 420]))] as const)
    const args = [pair.id, fee] as const
    const data = encodeFunctionData({ abi: solidlyFactoryDoubleAbi, functionName, args })
    return { ...at, to: venue.factory, data }
  }
  if (random.next() < 0.3) {
    const functionName = 'setOwnerFeeShare'
    const args = [BigInt(percent * 200)] as const
    const data = encodeFunctionData({ abi: camelotFactoryDoubleAbi, functionName, args })
    return { ...at, to: venue.factory, data }
  }
  if (random.next() < 0.3) {
    const args = [random.next() < 0.5] as const
    return pairCall(deployer, pair.id, { functionName: 'setStableSwap', args })
  }
  const args = [percent, anyInteger(random, 0, 500)] as const
  return pairCall(deployer, pair.id, { functionName: 'setFeePercent', args })
}

/** The moves of pairs that quote on chain, one entry a family. */
export function movedPairs(kinds: readonly Market[]): readonly MovedFamily[] {
  return (['solidly', 'camelot'] as const).map((family) => {
    const own = new Map(
      kinds.filter(({ venue }) => venue.family === family).map((kind) => [kind.venue.id, kind]),
    )
    const venues = [...own.values()].map(({ venue }) => venue)
    return movedFamily(family, venues, (pair) => anyPairMove(own.get(pair.venue)!, pair))
  })
}
