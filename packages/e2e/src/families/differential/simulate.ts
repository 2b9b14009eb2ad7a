import type { Address, Hex } from '@braid-swap/core'
import type { ChainClient } from '@braid-swap/devnet'

/** A call of a simulation. */
export type SimulatedCall = {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  /** Wei of the native token. */
  readonly value?: bigint
}

/** The result of a call; `data` is its return data or its revert data. */
export type SimulatedResult = { readonly succeeded: boolean; readonly data: Hex }

const CALL_GAS = 2_000_000_000n

/**
 * Simulates calls in order on top of the latest block; each call sees the effects of those before it.
 * `time`: Unix seconds of the simulated block. The gas limit is huge, so that a walk over the whole
 * range of ticks can finish.
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
        calls: calls.map(({ from, to, data, value = 0n }) => ({
          ...{ account: from, to, data, value, gas: CALL_GAS },
        })),
      },
    ],
  })
  return block!.calls.map(({ status, data }) => ({ succeeded: status === 'success', data }))
}
