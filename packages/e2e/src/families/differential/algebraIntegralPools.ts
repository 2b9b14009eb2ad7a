import { getSqrtPriceAtTick } from '@braid-swap/core/families'
import {
  type AlgebraIntegral,
  algebraCreateCall,
  algebraMintCall,
  type Call,
  deployAlgebraIntegral,
  readAlgebraPool,
} from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { approveAll, type BareChain, pairsOf } from './bareChain.js'
import { anyInteger } from './integers.js'

const SPACING = 60

/** The part of the pools without a plugin, which have a fee of their own. */
const WITHOUT_PLUGIN = 0.2
const abi = parseAbi(['function setPluginConfig(uint8)', 'function setFee(uint16)'])

/**
 * Deploys Algebra Integral with a pool for each pair of tokens. The positions overlap, leave gaps or
 * are dust.
 */
export async function createAlgebraPools(
  bare: BareChain,
  fee: 'adaptive' | 'sliding' = 'adaptive',
): Promise<AlgebraIntegral> {
  const { chain, random } = bare
  const algebra = await deployAlgebraIntegral(chain, 'bytecode-algebra', fee)
  await approveAll(bare, algebra.positionManager)
  await approveAll(bare, algebra.router)
  const manager = { from: chain.deployer, positionManager: algebra.positionManager }
  for (const tokens of pairsOf(bare.tokens)) {
    const tick = anyInteger(random, -100_000, 100_000)
    const sqrtPriceX96 = getSqrtPriceAtTick(tick) + 1n
    await chain.execute([algebraCreateCall(manager, { tokens, sqrtPriceX96 })])
    const mints = Array.from({ length: anyInteger(random, 3, 8) }, () => {
      const middle = Math.round((tick + random.normal() * 3_000) / SPACING)
      const half = anyInteger(random, 1, 200)
      const anyWei = () => 10n ** BigInt(anyInteger(random, 3, 26))
      return algebraMintCall(manager, {
        ...{ tokens, amounts: [anyWei(), anyWei()] },
        ...{ tickLower: (middle - half) * SPACING, tickUpper: (middle + half) * SPACING },
      })
    })
    if (random.next() < WITHOUT_PLUGIN) {
      const { address: to } = await readAlgebraPool(chain, algebra, { tokens, feePpm: 0 })
      mints.push(...settingsOfItsOwn({ from: chain.deployer, to }, anyInteger(random, 0, 9_000)))
    }
    // Some have zero liquidity, which the pool refuses.
    await chain.send(mints)
    await chain.mine()
  }
  return algebra
}

function settingsOfItsOwn(ends: Pick<Call, 'from' | 'to'>, feePpm: number): readonly Call[] {
  const call = { ...ends, label: 'set', gas: 200_000n }
  return [
    { ...call, data: encodeFunctionData({ abi, functionName: 'setPluginConfig', args: [0] }) },
    { ...call, data: encodeFunctionData({ abi, functionName: 'setFee', args: [feePpm] }) },
  ]
}
