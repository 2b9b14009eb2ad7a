/**
 * Prints where the gas of a swap of one hop goes: step by step traces of the same swap, on the same state, through
 * our router and through Uniswap's universal router, summed by part and by kind of instruction. `npm test`
 * leaves it out. The table in packages/contracts/README.md has its sums.
 */
import { createRequire } from 'node:module'
import { type Address, encodeRouterCall, type Hex } from '@braid-swap/core'
import { concatHex, PERMIT2, toHex } from '@braid-swap/core/advanced'
import {
  approveCall,
  type Call,
  createRandom,
  createV2Pool,
  createV3Pool,
  deployRouter,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
} from '@braid-swap/devnet'
import {
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  keccak256,
  pad,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BareChain, startBareChain } from '../families/differential/bareChain.js'
import { type Frame, REFUND, type Step, sumSteps } from './stepGas.js'

const E18 = 10n ** 18n
const GAS = 5_000_000n
const FAR = 2n ** 47n
const ALL = 2n ** 160n - 1n
/** Both pools: the fee of a pair. */
const FEE_PPM = 3000

const require = createRequire(new URL('../../../contracts/node_modules/@uniswap/', import.meta.url))
const codeOf = (path: string): Hex => {
  const { bytecode } = require(path)
  return `0x${bytecode.replace(/^0x/, '')}`
}
const universalAbi = parseAbi(['function execute(bytes, bytes[], uint256) payable'])
const permit2Abi = parseAbi(['function approve(address, address, uint160, uint48)'])

type World = {
  readonly bare: BareChain
  readonly tokens: readonly [Address, Address]
  readonly router: Address
  readonly executor: Address
  readonly universal: Address
  readonly pools: Readonly<Record<Kind, Address>>
}
type Kind = 'V2' | 'V3'

let world: World

beforeAll(async () => {
  const bare = await startBareChain(createRandom(1), 2, [18])
  const { chain, trader: from } = bare
  const tokens = [bare.tokens[0]!, bare.tokens[1]!] as const
  const [v2, v3] = [await deployUniswapV2(chain, 'v2'), await deployUniswapV3(chain, 'v3')]
  const pair = await createV2Pool(chain, v2, { tokens, amounts: [1_000n * E18, 1_000n * E18] })
  const pool = await createV3Pool(chain, v3, {
    ...{ tokens, feePpm: FEE_PPM, sqrtPriceX96: 1n << 96n },
    positions: [{ ...fullRange(60), liquidity: 10_000n * E18 }],
  })
  const { router, executor } = await deployRouter(chain)
  const universal = await deployUniversal(bare, v2.factory, v3.factory)
  const call = (to: Address, data: Hex): Call => ({ label: 'set up', from, to, data, gas: GAS })
  await chain.execute([
    ...[router, PERMIT2].map((spender) => approveCall(tokens[0], { owner: from, spender })),
    call(
      PERMIT2,
      encodeFunctionData({
        ...{ abi: permit2Abi, functionName: 'approve' },
        args: [tokens[0], universal, ALL, 2 ** 47],
      }),
    ),
  ])
  world = {
    ...{ bare, tokens, router, executor, universal },
    pools: { V2: pair.address, V3: pool.address },
  }
}, 120_000)

afterAll(() => world?.bare.chain.stop())

/** Deploys the universal router. What it needs for other venues than these two is left out. */
async function deployUniversal(
  { chain }: BareChain,
  v2Factory: Address,
  v3Factory: Address,
): Promise<Address> {
  const words: readonly Hex[] = [
    ...[PERMIT2, chain.wrappedNative, v2Factory, v3Factory],
    keccak256(codeOf('./v2-core/build/UniswapV2Pair.json')),
    keccak256(codeOf('./v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json')),
    ...(['0x', '0x', '0x', '0x'] satisfies Hex[]),
  ]
  const code = codeOf(
    './universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json',
  )
  const data = concatHex(code, ...words.map((word) => pad(word)))
  const [receipt] = await chain.execute([
    { label: 'universal router', from: chain.deployer, data, gas: 10_000_000n },
  ])
  return receipt!.contractAddress!.toLowerCase() as Address
}

/** The swap of one token of the pair by our router. */
function ours(kind: Kind): Call {
  const { bare, tokens, router, executor, pools } = world
  const pool = concatHex(kind === 'V2' ? '0x01' : '0x02', pools[kind], '0x01')
  const hop = kind === 'V2' ? concatHex(pool, toHex(FEE_PPM, 3)) : pool
  const data = encodeRouterCall({
    ...{ tokenIn: tokens[0], amountIn: E18, tokenOut: tokens[1], minAmountOut: 1n },
    ...{ receiver: bare.trader, deadline: FAR, executor },
    program: concatHex('0x000001000000', hop),
  })
  return { label: 'ours', from: bare.trader, to: router, data, gas: GAS }
}

/** The same swap by one command of the universal router, paid by a standing approval in Permit2. */
function universals(kind: Kind): Call {
  const { bare, tokens, universal } = world
  const [recipient, amounts] = [bare.trader, [E18, 1n] as const]
  const input =
    kind === 'V2'
      ? encodeAbiParameters(
          ['address', 'uint256', 'uint256', 'address[]', 'bool'].map((type) => ({ type })),
          [recipient, ...amounts, tokens, true],
        )
      : encodeAbiParameters(
          ['address', 'uint256', 'uint256', 'bytes', 'bool'].map((type) => ({ type })),
          [
            ...[recipient, ...amounts],
            encodePacked(['address', 'uint24', 'address'], [tokens[0], FEE_PPM, tokens[1]]),
            true,
          ],
        )
  const data = encodeFunctionData({
    ...{ abi: universalAbi, functionName: 'execute' },
    args: [kind === 'V2' ? '0x08' : '0x00', [input], FAR],
  })
  return { label: 'universal', from: bare.trader, to: universal, data, gas: GAS }
}

type Profile = {
  readonly used: number
  readonly parts: ReadonlyMap<string, number>
  readonly kinds: ReadonlyMap<string, number>
}

const SELECTORS = Object.fromEntries(
  [
    'balanceOf(address)',
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'transferFrom(address,address,uint160,address)',
    'uniswapV3SwapCallback(int256,int256,bytes)',
  ].map((signature) => [toFunctionSelector(signature), signature.split('(')[0]!]),
)
/** Traces a swap in the next block, performs it for the gas that is charged, and takes it back. */
async function profile(call: Call): Promise<Profile> {
  const { client } = world.bare.chain
  const steps = await stepsOf(call)
  const id = await client.snapshot()
  const [receipt] = await world.bare.chain.execute([call])
  await client.revert({ id })
  const used = Number(receipt!.gasUsed)
  return { used, ...sumSteps(steps, { data: call.data!, used, partOf: callee }) }
}

/** The steps of a call a second after the newest block. The answer is longer than viem accepts. */
async function stepsOf({ from, to, data }: Call): Promise<readonly Step[]> {
  const { client, rpcUrl } = world.bare.chain
  const { timestamp } = await client.getBlock()
  const options = { enableMemory: true, blockOverrides: { time: toHex(Number(timestamp) + 1, 8) } }
  const params = [{ from, to, data, gas: toHex(Number(GAS), 4) }, 'latest', options]
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'debug_traceCall', params }),
  })
  const { result } = (await answer.json()) as { result: { structLogs: readonly Step[] } }
  return result.structLogs
}

/** The part that a call serves. */
function callee({ op, stack, memory }: Step, frames: readonly Frame[]): string {
  const { tokens, executor, pools } = world
  const to = `0x${BigInt(stack.at(-2)!).toString(16).padStart(40, '0')}`
  const at = Number(stack.at(op === 'CALL' || op === 'CALLCODE' ? -4 : -3)!)
  const text = memory.map((word) => word.replace(/^0x/, '')).join('')
  const name = SELECTORS[`0x${text.slice(2 * at, 2 * at + 8)}`]
  const { part } = frames.at(-1)!
  const isInPool = part.startsWith('pool')
  if (part.startsWith('payment')) return part
  if (to === PERMIT2.toLowerCase() || name === 'transferFrom') return 'payment by the sender'
  if (name === 'uniswapV3SwapCallback') return 'callback'
  if (to === executor) return 'executor: program'
  if (Object.values(pools).includes(to as Address)) return 'pool'
  if (!tokens.includes(to as Address)) return part
  if (name === 'balanceOf') return isInPool ? 'pool' : 'balances before and after'
  if (isInPool) return 'pool'
  return part === 'callback' ? 'callback' : 'executor pays the receiver'
}

function table(title: string, columns: readonly ReadonlyMap<string, number>[]): string {
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))]
  const rows = names.map((name) => {
    const [own, other] = columns.map((column) => column.get(name) ?? 0)
    return { name, own: own!, other: other!, more: own! - other! }
  })
  const lines = rows
    .filter(({ own, other }) => own !== 0 || other !== 0)
    .map(({ name, own, other, more }) => `| ${[name, own, other, more].join(' | ')} |`)
  return [`| ${title} | ours | universal | more |`, '| --- | --: | --: | --: |', ...lines].join(
    '\n',
  )
}

it.each(['V2', 'V3'] as const)('profiles a swap of one hop through %s', async (kind) => {
  const { chain } = world.bare
  // Every slot was written and every pool has traded.
  await chain.execute([ours(kind), universals(kind)])
  const [own, other] = [await profile(ours(kind)), await profile(universals(kind))]
  console.log(`${kind}: ours ${own.used}, universal ${other.used}`)
  console.log(table('part', [own.parts, other.parts]))
  console.log(table('instructions', [own.kinds, other.kinds]))
  for (const { used, parts } of [own, other]) {
    // A refund is at most a fifth of the gas before it, and the rest is explained.
    const refund = -parts.get(REFUND)!
    expect(refund).toBeGreaterThanOrEqual(0)
    expect(refund).toBeLessThanOrEqual((used + refund) / 5)
  }
})
