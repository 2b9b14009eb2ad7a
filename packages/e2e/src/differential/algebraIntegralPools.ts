import { createRequire } from 'node:module'
import type { Venue } from '@braid-swap/chain'
import { type Address, getSqrtPriceAtTick, type Hex } from '@braid-swap/core'
import type { Call } from '@braid-swap/devnet'
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress } from 'viem'
import { approveAll, type BareChain, pairsOf } from './bareChain.js'
import { anyInteger } from './integers.js'

const require = createRequire(import.meta.url)

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }
const artifact = (part: string, name: string): Artifact =>
  require(`@cryptoalgebra/integral-${part}/artifacts/contracts/${name}.sol/${name}.json`)

/** An unmodified Algebra Integral, whose pools ask its base plugin. */
export type AlgebraIntegral = { readonly venue: Venue; readonly router: Address }

const CREATE_GAS = 30_000_000n
const MINT_GAS = 1_500_000n
const SPACING = 60

/** Deploys factory, pool deployer, plugin factory and periphery. */
export async function deployAlgebraIntegral(bare: BareChain): Promise<AlgebraIntegral> {
  const { chain } = bare
  const { deployer: from, wrappedNative } = chain
  const nonce = await chain.client.getTransactionCount({ address: from })
  // Factory and deployer refer to each other: the one that comes second is known before.
  const poolDeployer = getContractAddress({ from, nonce: BigInt(nonce + 1) }).toLowerCase()
  const factory = getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Address
  const [, , pluginFactory] = await create(bare, [
    ['core', 'AlgebraFactory', [poolDeployer]],
    ['core', 'AlgebraPoolDeployer', [factory]],
    ['base-plugin', 'BasePluginV1Factory', [factory]],
  ])
  const { abi } = artifact('core', 'AlgebraFactory')
  const data = encodeFunctionData({
    ...{ abi, functionName: 'setDefaultPluginFactory', args: [pluginFactory] },
  })
  await chain.execute([{ label: 'set plugin factory', from, to: factory, data, gas: MINT_GAS }])
  const [manager, router] = await create(bare, [
    [
      ...(['periphery', 'NonfungiblePositionManager'] as const),
      [factory, wrappedNative, wrappedNative, poolDeployer],
    ],
    ['periphery', 'SwapRouter', [factory, wrappedNative, poolDeployer]],
  ])
  await approveAll(bare, manager!)
  await approveAll(bare, router!)
  await createPools(bare, manager!)
  return { venue: { id: 'bytecode-algebra', family: 'algebraIntegral', factory }, router: router! }
}

async function create(
  { chain }: BareChain,
  contracts: readonly (readonly [string, string, readonly unknown[]])[],
): Promise<readonly Address[]> {
  const receipts = await chain.execute(
    contracts.map(([part, label, args]) => ({
      ...{ label, from: chain.deployer, gas: CREATE_GAS },
      data: encodeDeployData({ ...artifact(part, label), args }),
    })),
  )
  return receipts.map(({ contractAddress }) => contractAddress!.toLowerCase() as Address)
}

/** A pool for each pair of tokens, with positions that overlap, leave gaps or are dust. */
async function createPools(bare: BareChain, manager: Address): Promise<void> {
  const { chain, random } = bare
  const { abi } = artifact('periphery', 'NonfungiblePositionManager')
  const none = '0x0000000000000000000000000000000000000000'
  const call = (
    label: string,
    gas: bigint,
    functionName: string,
    args: readonly unknown[],
  ): Call => ({
    ...{ label, from: chain.deployer, to: manager, gas },
    data: encodeFunctionData({ abi, functionName, args }),
  })
  for (const [token0, token1] of pairsOf(bare.tokens)) {
    const tick = anyInteger(random, -100_000, 100_000)
    await chain.execute([
      call('create', CREATE_GAS, 'createAndInitializePoolIfNecessary', [
        ...[token0, token1, none, getSqrtPriceAtTick(tick) + 1n, '0x'],
      ]),
    ])
    const mints = Array.from({ length: anyInteger(random, 3, 8) }, () => {
      const middle = Math.round((tick + random.normal() * 3_000) / SPACING)
      const half = anyInteger(random, 1, 200)
      return call('mint', MINT_GAS, 'mint', [
        {
          ...{ token0, token1, deployer: none, recipient: chain.deployer, deadline: 1n << 64n },
          ...{ tickLower: (middle - half) * SPACING, tickUpper: (middle + half) * SPACING },
          ...{ amount0Desired: 10n ** BigInt(anyInteger(random, 3, 26)), amount0Min: 0n },
          ...{ amount1Desired: 10n ** BigInt(anyInteger(random, 3, 26)), amount1Min: 0n },
        },
      ])
    })
    // Some come to no liquidity, which the pool refuses.
    await chain.send(mints)
    await chain.mine()
  }
}

/** A swap by the deployment's own router, which takes the whole input or reverts. */
export function routerSwapCall(
  { router }: AlgebraIntegral,
  swap: {
    readonly from: Address
    readonly tokenIn: Address
    readonly tokenOut: Address
    readonly amountIn: bigint
  },
): Call {
  const { from, ...rest } = swap
  const { abi } = artifact('periphery', 'SwapRouter')
  const params = {
    ...{ ...rest, deployer: '0x0000000000000000000000000000000000000000', recipient: from },
    ...{ deadline: 1n << 64n, amountOutMinimum: 0n, limitSqrtPrice: 0n },
  }
  const data = encodeFunctionData({ abi, functionName: 'exactInputSingle', args: [params] })
  return { label: 'swap', from, to: router, data, gas: 3_000_000n }
}
