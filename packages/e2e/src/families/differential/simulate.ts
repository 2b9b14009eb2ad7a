import type { Address, Hex } from '@braid-swap/core'
import type { ChainClient } from '@braid-swap/devnet'

/** A call of a simulation. */
export type SimulatedCall = { readonly from: Address; readonly to: Address; readonly data: Hex }

/** What became of it; `data` is the answer, or what it reverted with. */
export type SimulatedResult = { readonly succeeded: boolean; readonly data: Hex }

const CALL_GAS = 2_000_000_000n

/**
 * Runs calls one after the other on top of the latest block, each seeing what those before it did,
 * and forgets it all. `time`: unix seconds of the block they run in. Gas is no limit: a walk over the whole range of ticks must be able to end.
 */
export async function simulate(
  client: ChainClient,
  calls: readonly SimulatedCall[],
  time?: bigint,
): Promise<readonly SimulatedResult[]> {
  const [block] = await client.simulateBlocks({
    blocks: [
      {
        blockOverrides: {
          gasLimit: CALL_GAS * BigInt(calls.length),
          ...(time !== undefined && { time }),
        },
        calls: calls.map(({ from, to, data }) => ({ account: from, to, data, gas: CALL_GAS })),
      },
    ],
  })
  return block!.calls.map(({ status, data }) => ({ succeeded: status === 'success', data }))
}
