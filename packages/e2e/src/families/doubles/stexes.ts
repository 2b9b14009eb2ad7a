import { codeHashOf, type Venue } from '@braid-swap/chain'
import { stexFactoryDoubleAbi, stexFactoryDoubleBytecode } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import type { StexPool } from '@braid-swap/core/families'
import { type Call, type Chain, mintCalls } from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'

/** ABI of the doubles: the exchange, its pool and the modules. */
const stexAbi = parseAbi([
  'function pool() view returns (address)',
  'function swapFeeModule() view returns (address)',
  'function withdrawalModule() view returns (address)',
  'function setPaused(bool paused)',
  'function setWithdrawalModule(address withdrawalModule)',
  'function setPoolManagerFeeBips(uint256 bips)',
  'function setModules(address feeModule, address verifier, address oracle)',
  'function set(uint256 rate, uint256 unstaking, uint256 leaving, uint256 lent)',
  'struct Contexts { bytes liquidity; bytes verifier; bytes swapCallback; bytes swapFee; }',
  'struct Params { bool isSwapCallback; bool isZeroToOne; uint256 amountIn; uint256 amountOutMin; uint256 deadline; address recipient; address swapTokenOut; Contexts contexts; }',
  'function swap(Params params) returns (uint256 amountInUsed, uint256 amountOut)',
])
const ratioAbi = parseAbi([
  'struct FeeParams { uint32 min; uint32 max; uint32 feeMin; uint32 feeMax; }',
  'function setFee(FeeParams params)',
])
const stepsAbi = parseAbi(['function setFee(uint256 min, uint256 max, uint32[] steps)'])

/** The parameters of an exchange: its pool's state without addresses and block. */
export type StexSpec = Pick<
  StexPool,
  | 'tokens'
  | 'reserves'
  | 'rate'
  | 'amountToken0PendingUnstaking'
  | 'amountToken1PendingLPWithdrawal'
  | 'amountToken1LendingPool'
  | 'fee'
  | 'poolManagerFeeBips'
>

/** The addresses of a double's contracts. */
export type StexDouble = {
  readonly venue: Venue
  readonly pool: Address
  readonly feeModule: Address
  readonly withdrawals: Address
}

/** Deploys a registry of exchanges; returns its address. */
export async function deployStexFactory(chain: Chain): Promise<Address> {
  const [receipt] = await chain.execute([
    {
      label: 'deploy a list of stex doubles',
      from: chain.deployer,
      data: stexFactoryDoubleBytecode,
      gas: 8_000_000n,
    },
  ])
  return receipt!.contractAddress!.toLowerCase() as Address
}

/** Creates exchanges with their pools, each its own venue, and fills them. */
export async function createStexDoubles(
  chain: Chain,
  factory: Address,
  specs: readonly StexSpec[],
): Promise<readonly StexDouble[]> {
  const { deployer: from, client } = chain
  const abi = stexFactoryDoubleAbi
  await chain.execute(
    specs.map(({ tokens, fee }) => ({
      ...{ label: 'create a stex double', from, to: factory, gas: 6_000_000n },
      data: encodeFunctionData({
        ...{ abi, functionName: 'create' },
        args: [tokens[0], tokens[1], fee.kind === 'steps'],
      }),
    })),
  )
  const listed = await client.readContract({ abi, address: factory, functionName: 'getStexes' })
  const doubles = await Promise.all(
    listed.slice(-specs.length).map((stex) => readParts(chain, stex.toLowerCase() as Address)),
  )
  await chain.execute(doubles.flatMap((double, i) => fillCalls(from, double, specs[i]!)))
  return doubles
}

async function readParts({ client }: Chain, stex: Address): Promise<StexDouble> {
  const ask = async (
    address: Address,
    functionName: 'pool' | 'swapFeeModule' | 'withdrawalModule',
  ) => (await client.readContract({ abi: stexAbi, address, functionName })).toLowerCase() as Address
  const pool = await ask(stex, 'pool')
  const feeModule = await ask(pool, 'swapFeeModule')
  const withdrawals = await ask(stex, 'withdrawalModule')
  const codes = await Promise.all(
    [feeModule, withdrawals].map((address) => client.getCode({ address })),
  )
  const modules = codes.map((code) => codeHashOf(code!))
  const venue: Venue = { id: `stex-${stex.slice(2, 10)}`, family: 'stex', factory: stex, modules }
  return { venue, pool, feeModule, withdrawals }
}

function fillCalls(from: Address, double: StexDouble, spec: StexSpec): readonly Call[] {
  return [
    setStateCall(from, double, spec),
    setFeeCall(from, double, spec.fee),
    stexCall(from, double.pool, 'setPoolManagerFeeBips', [BigInt(spec.poolManagerFeeBips)]),
    ...spec.tokens.flatMap((token, i) =>
      mintCalls(from, { token, to: double.pool, amount: spec.reserves[i]! }),
    ),
  ]
}

/** A call of any contract of a double, by function name. */
export function stexCall(
  from: Address,
  to: Address,
  functionName:
    | 'setPaused'
    | 'setWithdrawalModule'
    | 'setPoolManagerFeeBips'
    | 'setModules'
    | 'set',
  args: readonly unknown[],
): Call {
  const data = encodeFunctionData({ abi: stexAbi, functionName, args } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { label: `${functionName} of ${to}`, from, to, data, gas: 300_000n }
}

/** Changes the rate, the queues and the lent amount; emits no log. */
export function setStateCall(
  from: Address,
  { withdrawals }: StexDouble,
  spec: Omit<StexSpec, 'tokens' | 'reserves' | 'fee' | 'poolManagerFeeBips'>,
): Call {
  return stexCall(from, withdrawals, 'set', [
    spec.rate,
    spec.amountToken0PendingUnstaking,
    spec.amountToken1PendingLPWithdrawal,
    spec.amountToken1LendingPool,
  ])
}

/** Sets the fee of a module, of its own kind. */
export function setFeeCall(
  from: Address,
  { feeModule: to }: StexDouble,
  fee: StexSpec['fee'],
): Call {
  const data =
    fee.kind === 'ratio'
      ? encodeFunctionData({
          abi: ratioAbi,
          args: [
            {
              ...{ min: fee.minThresholdRatioBips, max: fee.maxThresholdRatioBips },
              ...{ feeMin: fee.feeMinBips, feeMax: fee.feeMaxBips },
            },
          ],
        })
      : encodeFunctionData({
          abi: stepsAbi,
          args: [fee.minThresholdToken1, fee.maxThresholdToken1, fee.stepsBips],
        })
  return { label: `set the fee of ${to}`, from, to, data, gas: 1_000_000n }
}

/** The input of a swap of exactly `amountIn`, paid by an approval to the pool. */
export function stexSwapData(
  trader: Address,
  { tokens }: Pick<StexPool, 'tokens'>,
  { isZeroToOne, amountIn }: { readonly isZeroToOne: boolean; readonly amountIn: bigint },
) {
  const contexts = { liquidity: '0x', verifier: '0x', swapCallback: '0x', swapFee: '0x' } as const
  const params = {
    ...{ isSwapCallback: false, isZeroToOne, amountIn, amountOutMin: 0n, deadline: 1n << 64n },
    ...{ recipient: trader, swapTokenOut: tokens[isZeroToOne ? 1 : 0], contexts },
  }
  return encodeFunctionData({ abi: stexAbi, functionName: 'swap', args: [params] })
}
