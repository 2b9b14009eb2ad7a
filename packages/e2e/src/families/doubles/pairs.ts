import type { Venue } from '@braid-swap/chain'
import {
  camelotFactoryDoubleAbi,
  camelotFactoryDoubleBytecode,
  solidlyFactoryDoubleAbi,
  solidlyFactoryDoubleBytecode,
} from '@braid-swap/contracts/testing'
import type { Address, Hex } from '@braid-swap/core'
import { concatHex, toHex } from '@braid-swap/core/advanced'
import type { SolidlyVariant } from '@braid-swap/core/families'
import { type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'

/** ABI of the doubles' pairs. */
const quotingPairAbi = parseAbi([
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
  'function mint(address to)',
  'function burn(uint256 thousandths, address to)',
  'function sync()',
  'function setFeePercent(uint16 percent0, uint16 percent1)',
  'function setStableSwap(bool stable)',
])

/** Our doubles of factories whose bytecode nobody publishes. Rows of deployed code judge the formulas. */
export type PairDoubles = { readonly venue: Venue; readonly kind: SolidlyVariant | 'camelot' }

const KINDS: readonly PairDoubles['kind'][] = ['solidly', 'ramses', 'velodrome', 'camelot']

/** Deploys a factory of each kind; their venues are `double-<kind>`. */
export async function deployPairDoubles(chain: Chain): Promise<readonly PairDoubles[]> {
  const fromBlock = (await chain.client.getBlockNumber()) + 1n
  const receipts = await chain.execute(
    KINDS.map((kind, i) => ({
      label: `deploy a factory of ${kind} doubles`,
      from: chain.deployer,
      data:
        kind === 'camelot'
          ? camelotFactoryDoubleBytecode
          : concatHex(solidlyFactoryDoubleBytecode, toHex(i, 32)),
      gas: 8_000_000n,
    })),
  )
  return KINDS.map((kind, i) => {
    const factory = receipts[i]!.contractAddress!.toLowerCase() as Address
    const base = { id: `double-${kind}`, factory, fromBlock }
    const venue: Venue =
      kind === 'camelot'
        ? { ...base, family: 'camelot' }
        : { ...base, family: 'solidly', variant: kind }
    return { venue, kind }
  })
}

/** A pair to create, and its initial reserves. */
export type PairSpec = {
  /** In ascending order. */
  readonly tokens: readonly [Address, Address]
  readonly stable: boolean
  readonly amounts: readonly [bigint, bigint]
  /** The token of the pair that cannot be minted; the deployer has enough of it. */
  readonly held?: Address
}

/** Creates pairs and fills them; returns their addresses in order. */
export async function createPairDoubles(
  chain: Chain,
  doubles: PairDoubles,
  specs: readonly PairSpec[],
): Promise<readonly Address[]> {
  const { deployer } = chain
  await chain.execute(specs.map((spec) => createCall(deployer, doubles, spec)))
  const pairs = await Promise.all(specs.map((spec) => pairOf(chain, doubles, spec)))
  const calls = specs.flatMap(({ tokens, stable, amounts, held }, i): readonly Call[] => {
    const pair = pairs[i]!
    const turn = { functionName: 'setStableSwap', args: [stable] } as const
    return [
      ...(doubles.kind === 'camelot' ? [pairCall(deployer, pair, turn)] : []),
      ...depositCalls(deployer, { pair, tokens, amounts, ...(held && { held }) }),
    ]
  })
  await chain.execute(calls)
  return pairs
}

/** Mints both amounts to a pair and deposits them. */
export function depositCalls(
  from: Address,
  deposit: { readonly pair: Address } & Pick<PairSpec, 'tokens' | 'amounts' | 'held'>,
): readonly Call[] {
  const { pair, tokens, amounts, held } = deposit
  const mint = { functionName: 'mint', args: [from] } as const
  return [
    ...tokens.flatMap((token, i) => {
      const give = { token, to: pair, amount: amounts[i]! }
      return token === held ? [transferCall(from, give)] : mintCalls(from, give)
    }),
    pairCall(from, pair, mint),
  ]
}

function transferCall(
  from: Address,
  { token, to, amount }: { readonly token: Address; readonly to: Address; readonly amount: bigint },
): Call {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { label: `transfer ${amount} of ${token} to ${to}`, from, to: token, data, gas: 100_000n }
}

/** A call of a pair. */
export function pairCall(
  from: Address,
  pair: Address,
  call: Pick<
    Parameters<typeof encodeFunctionData<typeof quotingPairAbi>>[0],
    'functionName' | 'args'
  >,
): Call {
  const data = encodeFunctionData({ abi: quotingPairAbi, ...call } as never)
  return { label: `${call.functionName} of pair ${pair}`, from, to: pair, data, gas: 600_000n }
}

function createCall(from: Address, { venue, kind }: PairDoubles, spec: PairSpec): Call {
  const [a, b] = spec.tokens
  const data: Hex =
    kind === 'camelot'
      ? encodeFunctionData({
          abi: camelotFactoryDoubleAbi,
          functionName: 'createPair',
          args: [a, b],
        })
      : encodeFunctionData({
          abi: solidlyFactoryDoubleAbi,
          functionName: 'createPair',
          args: [a, b, spec.stable],
        })
  return { label: `create a ${kind} pair`, from, to: venue.factory, data, gas: 5_000_000n }
}

async function pairOf(chain: Chain, doubles: PairDoubles, spec: PairSpec): Promise<Address> {
  const [a, b] = spec.tokens
  const address = doubles.venue.factory
  const pair =
    doubles.kind === 'camelot'
      ? await chain.client.readContract({
          ...{ address, abi: camelotFactoryDoubleAbi, functionName: 'getPair', args: [a, b] },
        })
      : await chain.client.readContract({
          ...{ address, abi: solidlyFactoryDoubleAbi, functionName: 'getPair' },
          args: [a, b, spec.stable],
        })
  return pair.toLowerCase() as Address
}
