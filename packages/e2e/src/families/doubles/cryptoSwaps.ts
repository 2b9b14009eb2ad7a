import type { Venue } from '@braid-swap/chain'
import {
  curveCryptoFactoryDoubleAbi,
  curveCryptoFactoryDoubleBytecode,
} from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import type { CurveCryptoPool } from '@braid-swap/core/families'
import { type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'

/** ABI of the doubles' pools. */
const cryptoSwapAbi = parseAbi([
  'function fill()',
  'function aim(uint256[] targets)',
  'function ramp(uint256 futureA, uint256 futureGamma, uint256 futureTime)',
  'function setFees(uint256 midFee, uint256 outFee, uint256 feeGamma)',
  'function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) returns (uint256 dy)',
])

/** A pool to create: its state without addresses and without what follows from its balances. */
export type CryptoSwapSpec = Pick<
  CurveCryptoPool,
  | 'tokens'
  | 'balances'
  | 'precisions'
  | 'priceScales'
  | 'A'
  | 'gamma'
  | 'midFee'
  | 'outFee'
  | 'feeGamma'
  | 'allowedExtraProfit'
>

/** Deploys a registry of Twocrypto and Tricrypto pools; its venue is `double-crypto`. */
export async function deployCryptoDoubles(chain: Chain): Promise<Venue> {
  const [receipt] = await chain.execute([
    {
      label: 'deploy a list of CryptoSwap doubles',
      from: chain.deployer,
      data: curveCryptoFactoryDoubleBytecode,
      gas: 12_000_000n,
    },
  ])
  const factory = receipt!.contractAddress!.toLowerCase() as Address
  return { id: 'double-crypto', family: 'curveCrypto', factory }
}

/** Creates pools and fills them; returns their addresses in order. */
export async function createCryptoSwaps(
  chain: Chain,
  { factory }: Venue,
  specs: readonly CryptoSwapSpec[],
): Promise<readonly Address[]> {
  const { deployer: from, client } = chain
  const abi = curveCryptoFactoryDoubleAbi
  await chain.execute(
    specs.map(({ tokens, precisions, priceScales, ...spec }) => ({
      ...{ label: 'create a CryptoSwap double', from, to: factory, gas: 8_000_000n },
      data: encodeFunctionData({
        ...{ abi, functionName: 'create' },
        args: [
          ...([tokens, precisions, priceScales] as const),
          {
            ...{ amp: spec.A, gamma: spec.gamma },
            ...{ midFee: spec.midFee, outFee: spec.outFee, feeGamma: spec.feeGamma },
            allowedExtraProfit: spec.allowedExtraProfit,
          },
        ],
      }),
    })),
  )
  const pools = await Promise.all(
    specs.map(async (_, k) => {
      const asked = { abi, address: factory, functionName: 'pool_list', args: [BigInt(k)] } as const
      return (await client.readContract(asked)).toLowerCase() as Address
    }),
  )
  await chain.execute(
    specs.flatMap(({ tokens, balances }, p) => [
      ...tokens.flatMap((token, k) =>
        mintCalls(from, { token, to: pools[p]!, amount: balances[k]! }),
      ),
      cryptoSwapCall(from, pools[p]!, { functionName: 'fill', args: [] }),
    ]),
  )
  return pools
}

/** A call of a pool, by function name. */
export function cryptoSwapCall(
  from: Address,
  to: Address,
  call: {
    readonly functionName: 'fill' | 'aim' | 'ramp' | 'setFees' | 'exchange'
    readonly args: readonly (bigint | readonly bigint[])[]
  },
): Call {
  const data = encodeFunctionData({ abi: cryptoSwapAbi, ...call } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { label: `${call.functionName} of ${to}`, from, to, data, gas: 2_000_000n }
}
