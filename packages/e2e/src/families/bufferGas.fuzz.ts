/**
 * Gas of a hop through a buffer in Balancer V3's vault, compiled with the optimiser, which `npm test`
 * leaves out: the estimate, with what the router adds, against the gas limit that the node needs.
 */
import { type Address, encodeRouterCall } from '@braid-swap/core'
import { concatHex, ROUTER_GAS } from '@braid-swap/core/advanced'
import { type BalancerBufferPool, encodeSwap, estimateGas } from '@braid-swap/core/families'
import { approveCall, createRandom, deployRouter } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BareChain, readPools, startBareChain } from './differential/bareChain.js'
import { type BalancerVenue, deployBalancer } from './doubles/balancer.js'
import { createBuffers } from './doubles/balancerBuffers.js'
import { compileBalancer } from './doubles/compileBalancer.js'
import { vaultAbi, vaultCall } from './doubles/vaults.js'

const E18 = 10n ** 18n
const GAS = 5_000_000n
/** The estimate may be this far below and above what the node needs. */
const MAX_BELOW = 0.05
const MAX_ABOVE = 0.2

let bare: BareChain
let balancer: BalancerVenue
let router: Address
let executor: Address

beforeAll(async () => {
  bare = await startBareChain(createRandom(1), 2, [18])
  balancer = await deployBalancer(bare.chain, compileBalancer({ isOptimised: true }))
  ;({ router, executor } = await deployRouter(bare.chain))
}, 600_000)

afterAll(() => bare?.chain.stop())

it.each(['OpenZeppelinVault', 'SolmateVault'] as const)(
  'is near the estimate with %s',
  async (name) => {
    const { chain, trader, tokens } = bare
    const [asset] = tokens
    const [wrapped] = await createBuffers(chain, balancer, [
      {
        ...{ asset: asset!, name, args: name === 'SolmateVault' ? [] : [0] },
        ...{ deposited: 1_000n * E18, donated: 40n * E18, assets: 300n * E18, percent: 30n },
      },
    ])
    await chain.execute([
      approveCall(asset!, { owner: trader, spender: wrapped! }),
      ...[asset!, wrapped!].map((token) => approveCall(token, { owner: trader, spender: router })),
      vaultCall(trader, wrapped!, {
        ...{ abi: vaultAbi, functionName: 'deposit', args: [100n * E18, trader] },
      }),
    ])
    const ratios: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      for (const direction of [
        { in: 0, out: 1 },
        { in: 1, out: 0 },
      ]) {
        const pools = await readPools(chain, balancer.venue)
        const pool = pools.find(
          (one): one is BalancerBufferPool =>
            one.family === 'balancerBuffer' && one.tokens[1] === wrapped,
        )!
        const [tokenIn, tokenOut] = direction.in === 0 ? pool.tokens : pool.tokens.toReversed()
        const amountIn = 3n * E18
        const data = encodeRouterCall({
          ...{ tokenIn: tokenIn!, amountIn, tokenOut: tokenOut!, minAmountOut: 1n },
          ...{ receiver: trader, deadline: 2n ** 40n, executor },
          program: concatHex('0x000001000000', encodeSwap(pool, direction)),
        })
        const need = Number(
          await chain.client.estimateGas({ account: trader, to: router, data, gas: GAS }),
        )
        await chain.execute([{ label: 'swap', from: trader, to: router, gas: GAS, data }])
        const model = ROUTER_GAS + estimateGas(pool, direction, amountIn)
        console.log(`${name} ${direction.in === 0 ? 'wraps' : 'unwraps'}: ${model}, ${need} needed`)
        ratios.push(model / need)
      }
    }
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(1 - MAX_BELOW)
    expect(Math.max(...ratios)).toBeLessThanOrEqual(1 + MAX_ABOVE)
  },
)
