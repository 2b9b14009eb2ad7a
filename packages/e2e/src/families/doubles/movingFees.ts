import { codeHashOf, type Venue } from '@braid-swap/chain'
import { poolCallerAbi, poolCallerBytecode } from '@braid-swap/contracts/testing'
import type { Address, Hex } from '@braid-swap/core'
import { getSqrtPriceAtTick } from '@braid-swap/core/families'
import type { Call } from '@braid-swap/devnet'
import { encodeFunctionData } from 'viem'
import { approveAll, type BareChain, pairsOf } from '../differential/bareChain.js'
import { type MovedFamily, movedFamily } from '../differential/following.js'
import { anyBits, anyInteger } from '../differential/integers.js'
import { type Compiled, compileDoubles, deploy } from './compile.js'

/** Venues of our doubles of Slipstream and Ramses. */
export type MovingFees = BareChain & {
  /** Fees by price, by pool, by tick spacing, and fees set by the owner. */
  readonly venues: readonly Venue[]
  readonly pools: readonly DoublePool[]
  /** PoolCaller: mints, burns and swaps. */
  readonly caller: Address
  /** A call to a double, by name. */
  readonly call: (name: string, to: Address, functionName: string, args: readonly unknown[]) => Call
  readonly modules: Readonly<Record<'dynamic' | 'custom', Address>>
}

/** A pool of a double. */
type DoublePool = {
  readonly address: Address
  readonly venue: string
  readonly tokens: readonly [Address, Address]
  readonly spacing: number
  readonly tick: number
}

const SPACINGS = [50, 200]
const POOLS_PER_VENUE = 4
const GAS = 10_000_000n

/** Deploys the doubles, some pools of each, and positions in them. */
export async function deployMovingFees(bare: BareChain): Promise<MovingFees> {
  const { chain, random } = bare
  const doubles = compileDoubles(['SlipstreamDouble.sol', 'RamsesDouble.sol'])
  const create = (name: string, args: readonly unknown[] = []) =>
    deploy(chain, name === 'PoolCaller' ? poolCaller : doubles[name]!, args)
  const call: MovingFees['call'] = (name, to, functionName, args) => ({
    ...{ label: `${name}.${functionName}`, from: chain.deployer, to, gas: GAS },
    data: encodeFunctionData({ abi: doubles[name]!.abi, functionName, args }),
  })
  const caller = await create('PoolCaller')
  await approveAll(bare, caller)
  const factories = {
    dynamic: await create('SlipstreamFactoryDouble'),
    custom: await create('SlipstreamFactoryDouble'),
    plain: await create('SlipstreamFactoryDouble'),
    ramses: await create('RamsesFactoryDouble'),
  }
  const modules = {
    dynamic: await create('DynamicFeeDouble', [factories.dynamic, 3_000_000n, 50_000n, 30]),
    custom: await create('CustomFeeDouble', [factories.custom]),
  }
  const codes = await Promise.all(
    Object.values(modules).map((address) => chain.client.getCode({ address })),
  )
  const venueOf = venueWith(codes.map((code) => codeHashOf(code!)))
  const kinds = Object.entries(factories) as [keyof typeof factories, Address][]
  const world: MovingFees = {
    ...{ ...bare, caller, call, modules, pools: [] },
    venues: kinds.map(venueOf),
  }
  await chain.execute(
    (['dynamic', 'custom'] as const).map((kind) =>
      call('SlipstreamFactoryDouble', factories[kind], 'setSwapFeeModule', [modules[kind]]),
    ),
  )
  const pairs = pairsOf(bare.tokens)
  const pools: DoublePool[] = []
  for (const [kind, factory] of kinds) {
    for (let n = 0; n < POOLS_PER_VENUE; n++) {
      const name = kind === 'ramses' ? 'RamsesPoolDouble' : 'SlipstreamPoolDouble'
      const tokens = pairs[n % pairs.length]!
      const spacing = SPACINGS[n % SPACINGS.length]!
      const tick = anyInteger(random, -20_000, 20_000)
      const args = [factory, ...tokens, spacing, getSqrtPriceAtTick(tick) + 1n]
      const pool = {
        address: await create(name, args),
        venue: `fees-${kind}`,
        tokens,
        spacing,
        tick,
      }
      const add = kind === 'ramses' ? 'RamsesFactoryDouble' : 'SlipstreamFactoryDouble'
      const positions = Array.from({ length: 4 }, () => anyMint(world, pool))
      const grow = call(name, pool.address, 'increaseObservationCardinalityNext', [20 * n + 1])
      await chain.execute([call(add, factory, 'add', [pool.address]), ...positions, grow])
      pools.push(pool)
    }
  }
  return { ...world, pools }
}

const poolCaller: Compiled = { abi: poolCallerAbi, bytecode: poolCallerBytecode }

/** The venues of our modules, each with the code of all of them. */
const venueWith =
  (modules: readonly Hex[]) =>
  ([kind, factory]: readonly [string, Address]): Venue => {
    const feeSource = kind === 'ramses' ? 'currentFee' : 'swapFeeModule'
    const ends = { id: `fees-${kind}`, family: 'uniswapV3', factory } as const
    return { ...ends, tickSpacings: SPACINGS, feeSource, modules }
  }

/** A position around the pool's initial price. */
function anyMint({ chain, random, caller }: MovingFees, pool: DoublePool): Call {
  const centre = Math.floor(pool.tick / pool.spacing) + anyInteger(random, -8, 8)
  const half = anyInteger(random, 1, 60)
  return {
    ...{ label: 'mint', from: chain.deployer, to: caller, gas: GAS },
    data: encodeFunctionData({
      abi: poolCallerAbi,
      functionName: 'mint',
      args: [
        pool.address,
        (centre - half) * pool.spacing,
        (centre + half) * pool.spacing,
        anyBits(random, 40, 90),
      ],
    }),
  }
}

/** A swap of any size that the pools can take, by the trader. */
function swapThrough(
  { trader, caller }: MovingFees,
  swap: { readonly pool: Address; readonly zeroForOne: boolean; readonly amountIn: bigint },
): Call {
  return {
    ...{ label: 'swap', from: trader, to: caller, gas: 100_000_000n },
    data: encodeFunctionData({
      abi: poolCallerAbi,
      functionName: 'swap',
      args: [swap.pool, swap.zeroForOne, swap.amountIn],
    }),
  }
}

/** Their random moves: of a pool, of its oracle, or of a parameter of its fee. */
export function movedFees(world: MovingFees): MovedFamily {
  const poolOf = new Map(world.pools.map((pool) => [pool.address as string, pool]))
  return movedFamily('uniswapV3', world.venues, ({ id }) => [anyMove(world, poolOf.get(id)!)])
}

function anyMove(world: MovingFees, pool: DoublePool): Call {
  const { random, call, modules, venues } = world
  const zeroForOne = random.next() < 0.5
  const swap = () =>
    swapThrough(world, { pool: pool.address, zeroForOne, amountIn: anyBits(random, 60, 90) })
  const factoryOf = (id: string) => venues.find((venue) => venue.id === id)!.factory
  const config = () => ({
    baseFee: random.pick([0, 0, 0, 420, anyInteger(random, 1, 150_000)]),
    feeCap: anyInteger(random, 1, 150_000),
    scalingFactor: BigInt(random.pick([0, 1, 1_000_000, 50_000_000])),
  })
  return random.pick<() => Call>([
    ...Array.from({ length: 14 }, () => swap),
    () => anyMint(world, pool),
    () => anyMint(world, pool),
    () => anyBurn(world, pool),
    () => {
      const next = anyInteger(random, 1, 60)
      return call('SlipstreamPoolDouble', pool.address, 'increaseObservationCardinalityNext', [
        next,
      ])
    },
    () => call('DynamicFeeDouble', modules.dynamic, 'configure', [pool.address, config()]),
    () => {
      const settings = [
        BigInt(anyInteger(random, 0, 9_000_000)),
        60_000n,
        anyInteger(random, 2, 90),
      ]
      return call('DynamicFeeDouble', modules.dynamic, 'setDefaults', settings)
    },
    () => {
      const fee = random.pick([0, 420, anyInteger(random, 1, 120_000)])
      return call('CustomFeeDouble', modules.custom, 'setCustomFee', [pool.address, fee])
    },
    () => {
      const module = random.pick([modules.custom, `0x${'00'.repeat(20)}`])
      const factory = factoryOf('fees-plain')
      return call('SlipstreamFactoryDouble', factory, 'setSwapFeeModule', [module])
    },
    () => call('RamsesPoolDouble', pool.address, 'setFee', [anyInteger(random, 0, 100_000)]),
  ])()
}

/** Burns a position that may have been minted; the pool refuses a burn of a missing one. */
function anyBurn(world: MovingFees, pool: DoublePool): Call {
  const { data, ...mint } = anyMint(world, pool)
  const selector = encodeFunctionData({
    abi: poolCallerAbi,
    functionName: 'burn',
    args: [pool.address, 0, 1, 1n],
  }).slice(0, 10)
  return { ...mint, label: 'burn', data: `${selector}${data!.slice(10)}` as `0x${string}` }
}
