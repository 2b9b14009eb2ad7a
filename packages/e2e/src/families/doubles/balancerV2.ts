// Balancer V2 on a chain: the vault and the pools of its deployments' package, unmodified.

import { createRequire } from 'node:module'
import type { Venue } from '@braid-swap/chain'
import type { Address, Hex } from '@braid-swap/core'
import { approveCall, type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import {
  type Abi,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  maxUint256,
  parseAbi,
  zeroAddress,
} from 'viem'
import { type Compiled, compileDoubles, deploy } from './compile.js'

const require = createRequire(import.meta.url)

/** The vault on a chain, and what its pools need. */
export type BalancerV2Venue = {
  readonly venue: Venue
  readonly vault: Address
  readonly feeProvider: Address
}

/** ABI of what the tests call of vault, pools, rates and the provider of the protocol's fees. */
export const balancerV2Abi = parseAbi([
  'struct Single { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'struct Join { address[] assets; uint256[] amounts; bytes userData; bool internalBalance; }',
  'function swap(Single single, Funds funds, uint256 limit, uint256 deadline) returns (uint256)',
  'function joinPool(bytes32 poolId, address sender, address recipient, Join request)',
  'function exitPool(bytes32 poolId, address sender, address recipient, Join request)',
  'function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256)',
  'function getPoolId() view returns (bytes32)',
  'function setPaused(bool paused)',
  'function pause()',
  'function unpause()',
  'function enableRecoveryMode()',
  'function disableRecoveryMode()',
  'function setSwapFeePercentage(uint256 fee)',
  'function startAmplificationParameterUpdate(uint256 end, uint256 endTime)',
  'function stopAmplificationParameterUpdate()',
  'function updateTokenRateCache(address token)',
  'function setFeeTypePercentage(uint256 feeType, uint256 value)',
  'function setRate(uint256 rate)',
])

/** A pool to create; an amplification or weights. */
export type BalancerV2Spec = {
  /** Ascending. */
  readonly tokens: readonly Address[]
  readonly amounts: readonly bigint[]
  /** With 18 decimals, from 10¹² to 10¹⁷. */
  readonly fee: bigint
} & (
  | {
      readonly amp: bigint
      /** Seconds for which the pool keeps the rate of each token; none without a rate provider. */
      readonly rateSeconds: readonly (number | undefined)[]
    }
  | { readonly weights: readonly bigint[] }
)

/** A created pool, all tokens that it registered, and its rate providers or zero addresses. */
export type CreatedV2Pool = {
  readonly id: Address
  readonly poolId: Hex
  readonly registered: readonly Address[]
  readonly rates: readonly Address[]
}

const DAY = 86_400n
const PAUSE_WINDOW = 90n * DAY
const BUFFER = 30n * DAY
const HALF = 5n * 10n ** 17n

// Compiled once, because it takes a second.
let compiled: ReturnType<typeof compileDoubles> | undefined
function roles() {
  compiled ??= compileDoubles(['BalancerRoles.sol'])
  return compiled
}

/** Deploys the vault, and a provider of the protocol's fees that takes half of all. */
export async function deployBalancerV2(chain: Chain): Promise<BalancerV2Venue> {
  const authorizer = await deploy(chain, roles()['BalancerAuthorizer']!, [])
  const vault = await deploy(chain, artifact('20210418-vault', 'Vault'), [
    ...[authorizer, chain.wrappedNative, PAUSE_WINDOW, BUFFER],
  ])
  const provider = artifact(
    '20220725-protocol-fee-percentages-provider',
    'ProtocolFeePercentagesProvider',
  )
  const feeProvider = await deploy(chain, provider, [vault, HALF, HALF])
  const [swapFee, yieldFee] = [0n, 2n]
  await chain.execute(
    [swapFee, yieldFee].map((feeType) =>
      balancerV2Call(chain.deployer, feeProvider, {
        ...{ functionName: 'setFeeTypePercentage', args: [feeType, HALF] },
      }),
    ),
  )
  const venue = { id: 'balancer-v2', family: 'balancerV2', factory: vault } as const
  return { venue, vault, feeProvider }
}

/** Creates and fills pools with the deployer's tokens. */
export async function createBalancerV2Pools(
  chain: Chain,
  balancer: BalancerV2Venue,
  specs: readonly BalancerV2Spec[],
): Promise<readonly CreatedV2Pool[]> {
  const { deployer } = chain
  const tokens = [...new Set(specs.flatMap((spec) => spec.tokens))]
  await chain.execute(
    tokens.map((token) => approveCall(token, { owner: deployer, spender: balancer.vault })),
  )
  const created: CreatedV2Pool[] = []
  for (const spec of specs) created.push(await createPool(chain, balancer, spec))
  return created
}

async function createPool(
  chain: Chain,
  balancer: BalancerV2Venue,
  spec: BalancerV2Spec,
): Promise<CreatedV2Pool> {
  const rates = await createRates(chain, spec)
  const id = await deploy(chain, ...poolOf(chain, balancer, { spec, rates }))
  const { data } = await chain.client.call({ to: id, data: '0x38fff2d0' })
  const poolId = data!
  const registered = await registeredBy(chain, balancer, poolId)
  const amountOf = (token: Address) => {
    const index = spec.tokens.indexOf(token)
    return index < 0 ? 0n : spec.amounts[index]!
  }
  const initial = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256[]' }],
    [0n, registered.map(amountOf)],
  )
  await chain.execute([
    ...spec.tokens.flatMap((token) =>
      mintCalls(chain.deployer, { token, to: chain.deployer, amount: amountOf(token) }),
    ),
    joinCall(chain.deployer, balancer, { poolId, registered, userData: initial }),
  ])
  return { id, poolId, registered, rates }
}

async function createRates(chain: Chain, spec: BalancerV2Spec): Promise<readonly Address[]> {
  if (!('amp' in spec)) return []
  const { BalancerRate } = roles()
  const rates: Address[] = []
  for (const seconds of spec.rateSeconds) {
    rates.push(seconds === undefined ? zeroAddress : await deploy(chain, BalancerRate!, []))
  }
  return rates
}

async function registeredBy(chain: Chain, { vault }: BalancerV2Venue, poolId: Hex) {
  const call = { abi: balancerV2Abi, functionName: 'getPoolTokens' } as const
  const { data } = await chain.client.call({
    ...{ to: vault, data: encodeFunctionData({ ...call, args: [poolId] }) },
  })
  const [tokens] = decodeFunctionResult({ ...call, data: data! })
  return tokens.map((token) => token.toLowerCase() as Address)
}

/** Adds liquidity: the first one, or amounts in any proportion, as `userData` says. */
export function joinCall(
  from: Address,
  { vault }: BalancerV2Venue,
  join: Pick<CreatedV2Pool, 'poolId' | 'registered'> & { readonly userData: Hex },
): Call {
  const { poolId, registered: assets, userData } = join
  const amounts = assets.map(() => maxUint256)
  const request = { assets, amounts, userData, internalBalance: false }
  const args = [poolId, from, from, request]
  return balancerV2Call(from, vault, { functionName: 'joinPool', args })
}

function poolOf(
  { deployer }: Chain,
  { vault, feeProvider }: BalancerV2Venue,
  { spec, rates }: { readonly spec: BalancerV2Spec; readonly rates: readonly Address[] },
): [Compiled, readonly unknown[]] {
  const { tokens, fee: swapFeePercentage } = spec
  const named = { name: 'Pool', symbol: 'POOL', tokens, swapFeePercentage }
  const times = { pauseWindowDuration: PAUSE_WINDOW, bufferPeriodDuration: BUFFER }
  if ('amp' in spec) {
    const params = {
      ...{ vault, protocolFeeProvider: feeProvider, ...named, rateProviders: rates, ...times },
      tokenRateCacheDurations: spec.rateSeconds.map((seconds) => BigInt(seconds ?? 0)),
      exemptFromYieldProtocolFeeFlags: tokens.map(() => false),
      amplificationParameter: spec.amp,
      ...{ owner: deployer, version: '1' },
    }
    return [artifact('20230206-composable-stable-pool-v3', 'ComposableStablePool'), [params]]
  }
  const none = tokens.map(() => zeroAddress)
  const params = {
    ...named,
    normalizedWeights: spec.weights,
    rateProviders: none,
    assetManagers: none,
  }
  const args = [params, vault, feeProvider, PAUSE_WINDOW, BUFFER, deployer, '1']
  return [artifact('20230206-weighted-pool-v3', 'WeightedPool'), args]
}

function artifact(task: string, name: string): Compiled {
  const file = `@balancer-labs/v2-deployments/dist/tasks/${task}/artifact/${name}.json`
  return require(file) as { readonly abi: Abi; readonly bytecode: Hex }
}

/** A call by function name, to the vault, a pool, a rate or the provider of fees. */
export function balancerV2Call(
  from: Address,
  to: Address,
  call: { readonly functionName: string; readonly args?: readonly unknown[] },
): Call {
  const data = encodeFunctionData({ abi: balancerV2Abi, ...call } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { label: `${call.functionName} of ${to}`, from, to, data, gas: 20_000_000n }
}
