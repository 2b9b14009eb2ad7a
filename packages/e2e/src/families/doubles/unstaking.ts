import type { Venue } from '@braid-swap/chain'
import {
  stakingManagerDoubleAbi,
  stakingManagerDoubleBytecode,
} from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import type { instantUnstake } from '@braid-swap/core/families'
import type { Call, Chain, Random } from '@braid-swap/devnet'
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem'
import type { BareChain } from '../differential/bareChain.js'
import { type MovedFamily, movedFamily } from '../differential/following.js'
import { anyBelow, anyBits, anyInteger } from '../differential/integers.js'

const managerAbi = stakingManagerDoubleAbi
const poolAbi = parseAbi([
  'function setInstantUnstakeFeeRate(uint256 feeRate)',
  'function setSurplus(uint256 surplus)',
  'function drain(uint256 amount)',
])

/** A staking manager that unstakes at once, and the contract that pays for it. */
export type UnstakingDouble = { readonly venue: Venue; readonly pool: Address }

/** The parameters of a manager: its rate as a fraction, its fee, what its pool has, and its minimum. */
type UnstakingSpec = {
  readonly totals: readonly [hype: bigint, supply: bigint]
  readonly feeRateBps: number
  readonly buffer: bigint
  readonly minAmountIn: bigint
}

/** Deploys a manager of a token, in the state given. */
export async function deployUnstaking(
  chain: Chain,
  staked: Address,
  spec: UnstakingSpec,
): Promise<UnstakingDouble> {
  const { deployer: from, client, wrappedNative } = chain
  const data = encodeDeployData({
    ...{ abi: managerAbi, bytecode: stakingManagerDoubleBytecode, args: [staked] },
  })
  const label = 'deploy a double of a staking manager'
  const [receipt] = await chain.execute([{ label, from, data, gas: 4_000_000n }])
  const address = receipt!.contractAddress!.toLowerCase() as Address
  const abi = managerAbi
  const pool = await client.readContract({ abi, address, functionName: 'instantUnstakePool' })
  const double: UnstakingDouble = {
    venue: {
      ...{ id: `unstaking-${address.slice(2, 10)}`, family: 'instantUnstake', factory: address },
      pairs: [[staked, wrappedNative]],
    },
    pool: pool.toLowerCase() as Address,
  }
  await chain.execute([
    managerCall(from, double, 'setTotals', spec.totals),
    managerCall(from, double, 'setMinWithdrawalAmount', [spec.minAmountIn]),
    poolCall(from, double, 'setInstantUnstakeFeeRate', BigInt(spec.feeRateBps)),
    fillCall(from, double, spec.buffer),
  ])
  return double
}

/** A call of the manager. */
export function managerCall(
  from: Address,
  { venue: { factory: to } }: UnstakingDouble,
  functionName: 'setTotals' | 'setMinWithdrawalAmount' | 'setWork',
  args: readonly bigint[],
): Call {
  const data = encodeFunctionData({ abi: managerAbi, functionName, args } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { label: `${functionName} of ${to}`, from, to, data, gas: 300_000n }
}

/** A call of the pool. */
export function poolCall(
  from: Address,
  { pool: to }: UnstakingDouble,
  functionName: 'setInstantUnstakeFeeRate' | 'setSurplus' | 'drain',
  argument: bigint,
): Call {
  const data = encodeFunctionData({ abi: poolAbi, functionName, args: [argument] })
  return { label: `${functionName} of ${to}`, from, to, data, gas: 300_000n }
}

/** Sends native tokens to the pool. */
function fillCall(from: Address, { pool: to }: UnstakingDouble, value: bigint): Call {
  return { label: `fill ${to}`, from, to, value, gas: 60_000n }
}

const ONE = 10n ** 18n
/** So large that what is unstaked does not move the rate by much. */
const SUPPLY = 10n ** 36n

/** A manager for each token but the last. */
export async function createUnstakings(bare: BareChain): Promise<readonly UnstakingDouble[]> {
  const { chain, random, tokens } = bare
  const doubles: UnstakingDouble[] = []
  for (const staked of tokens.slice(0, -1)) {
    doubles.push(
      await deployUnstaking(chain, staked, {
        ...{ totals: anyTotals(random), feeRateBps: anyInteger(random, 0, 200) },
        ...{ buffer: anyBits(random, 1, 78), minAmountIn: anyMinimum(random) },
      }),
    )
  }
  return doubles
}

/** Their random moves: a rate, a fee, a minimum, and payments into the pool and out of it. */
export function movedUnstakings(
  { chain: { deployer: from }, random }: BareChain,
  doubles: readonly UnstakingDouble[],
): MovedFamily {
  const venues = doubles.map(({ venue }) => venue)
  return movedFamily('instantUnstake', venues, (pool): readonly Call[] => {
    const double = doubles.find(({ venue }) => venue.factory === pool.id)!
    return [random.pick(movesOf(double, pool))()]
  })

  function movesOf(double: UnstakingDouble, { buffer }: instantUnstake.InstantUnstakePool) {
    return [
      () => managerCall(from, double, 'setTotals', anyTotals(random)),
      () => managerCall(from, double, 'setMinWithdrawalAmount', [anyMinimum(random)]),
      () => poolCall(from, double, 'setInstantUnstakeFeeRate', BigInt(anyInteger(random, 0, 200))),
      () => fillCall(from, double, anyBits(random, 1, 78)),
      () => poolCall(from, double, 'drain', anyBelow(random, buffer + 1n)),
    ]
  }
}

/** A rate around 1, of which all digits count. */
function anyTotals(random: Random): readonly [hype: bigint, supply: bigint] {
  return [SUPPLY / 2n + anyBelow(random, SUPPLY), SUPPLY]
}

function anyMinimum(random: Random): bigint {
  return random.next() < 0.5 ? 0n : anyBelow(random, ONE)
}
