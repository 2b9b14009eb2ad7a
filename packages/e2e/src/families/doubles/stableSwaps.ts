import type { Venue } from '@braid-swap/chain'
import { curveFactoryDoubleAbi, curveFactoryDoubleBytecode } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import type { CurveStableSwapPool } from '@braid-swap/core/families'
import { type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'

/** ABI of the doubles' pools. */
const stableSwapAbi = parseAbi([
  'function fill()',
  'function ramp(uint256 futureA, uint256 futureTime)',
  'function setFee(uint256 fee, uint256 multiplier)',
  'function setRate(uint256 k, uint256 rate)',
  'function setBase(address base)',
  'function balances(uint256 k) view returns (uint256)',
  'function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) returns (uint256 dy)',
])

/** A pool to create: its state without addresses. */
export type StableSwapSpec = Pick<
  CurveStableSwapPool,
  | 'tokens'
  | 'isNg'
  | 'balances'
  | 'rates'
  | 'A'
  | 'aPrecision'
  | 'fee'
  | 'offpegFeeMultiplier'
  | 'adminFee'
>

/** Deploys a registry of StableSwap pools; its venue is `double-curve`. */
export async function deployCurveDoubles(chain: Chain): Promise<Venue> {
  const [receipt] = await chain.execute([
    {
      label: 'deploy a list of StableSwap doubles',
      from: chain.deployer,
      data: curveFactoryDoubleBytecode,
      gas: 8_000_000n,
    },
  ])
  const factory = receipt!.contractAddress!.toLowerCase() as Address
  return { id: 'double-curve', family: 'curveStableSwap', factory }
}

/** Creates pools and fills them; returns their addresses in order. */
export async function createStableSwaps(
  chain: Chain,
  { factory }: Venue,
  specs: readonly StableSwapSpec[],
): Promise<readonly Address[]> {
  const { deployer: from, client } = chain
  const abi = curveFactoryDoubleAbi
  const count = async () =>
    Number(await client.readContract({ abi, address: factory, functionName: 'pool_count' }))
  const first = await count()
  await chain.execute(
    specs.map(({ tokens, rates, isNg, ...spec }) => ({
      ...{ label: 'create a StableSwap double', from, to: factory, gas: 6_000_000n },
      data: encodeFunctionData({
        ...{ abi, functionName: 'create' },
        args: [
          ...([tokens, rates, isNg] as const),
          {
            ...{ amp: spec.A, ampPrecision: spec.aPrecision, fee: spec.fee },
            ...{ offpegFeeMultiplier: spec.offpegFeeMultiplier, adminFee: spec.adminFee },
          },
        ],
      }),
    })),
  )
  const pools = await Promise.all(
    specs.map(async (_, k) => {
      const args = [BigInt(first + k)] as const
      const pool = await client.readContract({
        abi,
        address: factory,
        functionName: 'pool_list',
        args,
      })
      return pool.toLowerCase() as Address
    }),
  )
  await chain.execute(
    specs.flatMap(({ tokens, balances }, p) => [
      ...tokens.flatMap((token, k) =>
        mintCalls(from, { token, to: pools[p]!, amount: balances[k]! }),
      ),
      stableSwapCall(from, pools[p]!, { functionName: 'fill', args: [] }),
    ]),
  )
  return pools
}

/** A call of a pool, by function name. */
export function stableSwapCall(
  from: Address,
  to: Address,
  call: {
    readonly functionName: 'fill' | 'ramp' | 'setFee' | 'setRate' | 'setBase' | 'exchange'
    readonly args: readonly (bigint | Address)[]
  },
): Call {
  const data = encodeFunctionData({ abi: stableSwapAbi, ...call } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { label: `${call.functionName} of ${to}`, from, to, data, gas: 1_500_000n }
}
