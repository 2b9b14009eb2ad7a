import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { approveCall, type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData, getContractAddress, parseAbi, zeroAddress } from 'viem'
import { type Compiled, compileDoubles, deploy } from './compile.js'
import { type BalancerContracts, compileBalancer } from './compileBalancer.js'
import { type EllipseShape, ellipseOf } from './ellipse.js'

/** Balancer's vault on a chain, and what the tests call. */
export type BalancerVenue = {
  readonly venue: Venue
  readonly vault: Address
  /** Trades with the tokens of its caller, who approves it. */
  readonly trader: Address
}

/** ABI of our trader, of a rate, and of what the tests call of vault and pools. */
export const balancerAbi = parseAbi([
  'function create(address pool, address[] tokens, address[] rates, uint256 fee, uint256[] amounts)',
  'function add(address pool, uint256[] amounts)',
  'function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn) returns (uint256)',
  'function createBuffer(address wrapped, uint256 assets, uint256 shares)',
  'function convert(address wrapped, bool isWrap, uint256 amountIn) returns (uint256)',
  'function getBufferBalance(address wrapped) view returns (uint256, uint256)',
  'function pauseVaultBuffers()',
  'function unpauseVaultBuffers()',
  'function setRate(uint256 rate)',
  'function setStaticSwapFeePercentage(address pool, uint256 fee)',
  'function pausePool(address pool)',
  'function unpausePool(address pool)',
  'function pauseVault()',
  'function unpauseVault()',
  'function startAmplificationParameterUpdate(uint256 end, uint256 endTime)',
  'function getPoolTokenInfo(address pool) view returns (address[], (uint8, address, bool)[], uint256[], uint256[])',
])

/** A pool to create; an amplification, weights or an ellipse. */
export type BalancerSpec = {
  /** Ascending. */
  readonly tokens: readonly Address[]
  readonly amounts: readonly bigint[]
  /** With 18 decimals; a multiple of 10¹¹. */
  readonly fee: bigint
  /** Indices of the tokens with a rate provider. */
  readonly withRates: readonly number[]
  /** Tokens that the deployer has already, because nobody can mint them. */
  readonly held?: readonly Address[]
} & (
  | { readonly amp: bigint }
  | { readonly weights: readonly bigint[] }
  | { readonly ellipse: EllipseShape }
)

/** A created pool, and the rate provider of each token or the zero address. */
export type CreatedPool = { readonly id: Address; readonly rates: readonly Address[] }

const MIN_TRADE = 1_000_000n
const MIN_WRAP = 10_000n
const PAUSE_SECONDS = 4 * 365 * 86_400
const SWAP_FEE_PART = 5n * 10n ** 17n
const YIELD_FEE_PART = 10n ** 17n

/** Deploys the vault with its parts, a controller that takes half of all fees, and our trader. */
export async function deployBalancer(
  chain: Chain,
  set: BalancerContracts = compileBalancer(),
): Promise<BalancerVenue> {
  const roles = compileDoubles(['BalancerRoles.sol'])
  const authorizer = await deploy(chain, roles['BalancerAuthorizer']!, [])
  const nonce = await chain.client.getTransactionCount({ address: chain.deployer })
  const vault = getContractAddress({ from: chain.deployer, nonce: BigInt(nonce) + 3n })
  const admin = await deploy(chain, set.VaultAdmin, [
    ...[vault, PAUSE_SECONDS, 86_400, MIN_TRADE, MIN_WRAP],
  ])
  const extension = await deploy(chain, set.VaultExtension, [vault, admin])
  const fees = await deploy(chain, set.ProtocolFeeController, [
    ...[vault, SWAP_FEE_PART, YIELD_FEE_PART],
  ])
  const at = await deploy(chain, set.Vault, [extension, authorizer, fees])
  if (at !== vault.toLowerCase()) throw new Error(`the vault is at ${at}, not ${vault}`)
  const trader = await deploy(chain, roles['BalancerTrader']!, [at])
  const venue = { id: 'balancer-v3', family: 'balancerV3', factory: at } as const
  return { venue, vault: at, trader }
}

/** Creates, registers and fills pools with the deployer's tokens. */
export async function createBalancerPools(
  chain: Chain,
  { vault, trader }: BalancerVenue,
  specs: readonly BalancerSpec[],
): Promise<readonly CreatedPool[]> {
  const set = compileBalancer()
  const own = compileDoubles(['BalancerRoles.sol', 'EclpDouble.sol'])
  const { deployer: from } = chain
  const tokens = [...new Set(specs.flatMap((spec) => spec.tokens))]
  await chain.execute(tokens.map((token) => approveCall(token, { owner: from, spender: trader })))
  const created: CreatedPool[] = []
  for (const spec of specs) {
    const id = await deploy(chain, ...poolOf({ ...set, Eclp: own['EclpDouble']! }, spec, vault))
    const rates: Address[] = []
    for (const k of spec.tokens.keys()) {
      const has = spec.withRates.includes(k)
      rates.push(has ? await deploy(chain, own['BalancerRate']!, []) : zeroAddress)
    }
    const args = [id, spec.tokens, rates, spec.fee, spec.amounts]
    await chain.execute([
      ...spec.tokens.flatMap((token, k) =>
        spec.held?.includes(token)
          ? []
          : mintCalls(from, { token, to: from, amount: spec.amounts[k]! }),
      ),
      balancerCall(from, trader, { functionName: 'create', args }),
    ])
    created.push({ id, rates })
  }
  return created
}

function poolOf(
  set: ReturnType<typeof compileBalancer> & { readonly Eclp: Compiled },
  spec: BalancerSpec,
  vault: Address,
): [Compiled, readonly unknown[]] {
  if ('ellipse' in spec) return [set.Eclp, [vault, ...ellipseOf(spec.ellipse)]]
  const named = { name: 'Pool', symbol: 'POOL', version: '1' }
  if ('amp' in spec) {
    return [set.StablePool, [{ ...named, amplificationParameter: spec.amp }, vault]]
  }
  const { weights: normalizedWeights } = spec
  const own = { numTokens: BigInt(normalizedWeights.length), normalizedWeights }
  const minTokenBalances = normalizedWeights.map(() => 1_000_000n)
  return [set.WeightedPool, [{ ...named, ...own, minTokenBalances }, vault]]
}

/** A call by function name, to the trader, a rate, the vault or a pool. */
export function balancerCall(
  from: Address,
  to: Address,
  call: { readonly functionName: string; readonly args?: readonly unknown[] },
): Call {
  const data = encodeFunctionData({ abi: balancerAbi, ...call } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { label: `${call.functionName} of ${to}`, from, to, data, gas: 20_000_000n }
}
