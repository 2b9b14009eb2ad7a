import type { Venue } from '@braid-swap/chain'
import {
  liquidityBookFactoryDoubleAbi,
  liquidityBookFactoryDoubleBytecode,
} from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import type { Bin, LiquidityBookPool } from '@braid-swap/core/families'
import { type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'

/** ABI of the doubles' pairs. */
export const binsAbi = parseAbi([
  'struct StaticFee { uint16 baseFactor; uint16 filterPeriod; uint16 decayPeriod; uint16 reductionFactor; uint24 variableFeeControl; uint16 protocolShare; uint24 maxVolatilityAccumulator; }',
  'function deposit(uint256[] ids, bytes32[] amounts)',
  'function withdraw(uint256[] ids, bytes32[] amounts)',
  'function setStaticFee(StaticFee fee)',
  'function forceDecay()',
  'function setHooks(bytes32 hooks)',
  'function swap(bool swapForY, address to) returns (bytes32 amountsOut)',
])

/** A pair to create: its state without an address and without history. */
export type BinsSpec = Pick<
  LiquidityBookPool,
  'tokens' | 'binStep' | 'activeId' | 'bins' | 'staticFee'
>

/** Deploys a registry of Liquidity Book pairs; its venue is `double-bins`. */
export async function deployBinsDoubles(chain: Chain): Promise<Venue> {
  const [receipt] = await chain.execute([
    {
      label: 'deploy a list of Liquidity Book doubles',
      from: chain.deployer,
      data: liquidityBookFactoryDoubleBytecode,
      gas: 8_000_000n,
    },
  ])
  const factory = receipt!.contractAddress!.toLowerCase() as Address
  return { id: 'double-bins', family: 'liquidityBook', factory }
}

/** Creates pairs and fills their bins; returns their addresses in order. */
export async function createBinsDoubles(
  chain: Chain,
  { factory }: Venue,
  specs: readonly BinsSpec[],
): Promise<readonly Address[]> {
  const { deployer: from, client } = chain
  const abi = liquidityBookFactoryDoubleAbi
  const count = () =>
    client.readContract({ abi, address: factory, functionName: 'getNumberOfLBPairs' })
  const first = await count()
  await chain.execute(
    specs.map(({ tokens, binStep, activeId, staticFee }) => ({
      ...{ label: 'create a Liquidity Book double', from, to: factory, gas: 6_000_000n },
      data: encodeFunctionData({
        ...{ abi, functionName: 'create' },
        args: [tokens[0], tokens[1], binStep, activeId, feeArgs(staticFee)],
      }),
    })),
  )
  const pairs = await Promise.all(
    specs.map(async (_, k) => {
      const args = [first + BigInt(k)] as const
      const functionName = 'getLBPairAtIndex'
      const pair = await client.readContract({ abi, address: factory, functionName, args })
      return pair.toLowerCase() as Address
    }),
  )
  await chain.execute(
    specs.flatMap(({ tokens, bins }, p) => depositCalls(from, { id: pairs[p]!, tokens }, bins)),
  )
  return pairs
}

/** Adds reserves to bins, minted for the purpose. */
export function depositCalls(
  from: Address,
  { id: to, tokens }: Pick<LiquidityBookPool, 'id' | 'tokens'>,
  bins: readonly Bin[],
): readonly Call[] {
  const sum = (k: 0 | 1) => bins.reduce((total, { reserves }) => total + reserves[k], 0n)
  return [
    ...([0, 1] as const).flatMap((k) =>
      sum(k) > 0n ? mintCalls(from, { token: tokens[k], to, amount: sum(k) }) : [],
    ),
    changeCall(from, to, { functionName: 'deposit', bins }),
  ]
}

/** Adds reserves that the pair already has to its bins, or takes them out. */
export function changeCall(
  from: Address,
  to: Address,
  change: { readonly functionName: 'deposit' | 'withdraw'; readonly bins: readonly Bin[] },
): Call {
  const { functionName, bins } = change
  const ids = bins.map(({ id }) => BigInt(id))
  const amounts = bins.map(({ reserves: [x, y] }) => packed(x, y))
  const data = encodeFunctionData({ abi: binsAbi, functionName, args: [ids, amounts] })
  return { label: `${functionName} in ${to}`, from, to, data, gas: 30_000_000n }
}

/** Changes the settings of a pair's fee. */
export function setFeeCall(from: Address, to: Address, fee: LiquidityBookPool['staticFee']): Call {
  const args = [feeArgs(fee)] as const
  const data = encodeFunctionData({ abi: binsAbi, functionName: 'setStaticFee', args })
  return { label: `set the fee of ${to}`, from, to, data, gas: 300_000n }
}

/** A call of a pair without arguments, or with hooks. */
export function binsCall(
  from: Address,
  to: Address,
  call: { readonly functionName: 'forceDecay' } | { readonly hooks: Hex },
): Call {
  const data =
    'hooks' in call
      ? encodeFunctionData({ abi: binsAbi, functionName: 'setHooks', args: [call.hooks] })
      : encodeFunctionData({ abi: binsAbi, functionName: call.functionName })
  return { label: `change ${to}`, from, to, data, gas: 300_000n }
}

function packed(x: bigint, y: bigint): Hex {
  return toHex(x | (y << 128n), { size: 32 })
}

function feeArgs(fee: LiquidityBookPool['staticFee']) {
  return {
    baseFactor: Number(fee.baseFactor),
    filterPeriod: Number(fee.filterPeriod),
    decayPeriod: Number(fee.decayPeriod),
    reductionFactor: Number(fee.reductionFactor),
    variableFeeControl: Number(fee.variableFeeControl),
    protocolShare: Number(fee.protocolShare),
    maxVolatilityAccumulator: Number(fee.maxVolatilityAccumulator),
  }
}
