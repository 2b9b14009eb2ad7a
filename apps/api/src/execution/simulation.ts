import { overrideHolding } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE, type Order, type Payment } from '@braid-swap/core'
import { PERMIT2, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import type { StateOverride } from 'viem'
import { ApiError, refusal } from '../errors.js'
import type { Need } from '../need.js'
import { askPriced, isRevert, revertBytesOf, revertText } from '../node/revert.js'
import type { Warning } from '../wire/responses.js'
import type { Tx } from './swapTx.js'

/** The result of a transaction on the node's newest state, or why it was not simulated. */
export type Simulation =
  | {
      readonly ran: true
      readonly dstAmount: bigint
      /** Absent if the node gave none. */
      readonly gasUsed?: bigint
      readonly blockNumber: bigint
    }
  | { readonly ran: false; readonly why: Warning }

/** A call may use so many times our estimate: the node's own may be higher. */
const MORE_GAS = 2n

/** The sender if the request names none. */
const NOBODY: Address = '0xb4a1db4a1db4a1db4a1db4a1db4a1db4a1db4a1d'

/** A transaction to simulate, and whether its sender is known to be able to pay. */
export type Run = {
  readonly tx: Tx
  readonly order: Order
  /** The quoted output, in wei. */
  readonly amountOut: bigint
  /** The floor in the calldata. */
  readonly minAmountOut: bigint
  readonly payment: Payment | undefined
  readonly isFunded: boolean
}

/**
 * Runs the exact calldata by `eth_call` on the node's newest state. A sender that may lack the amount
 * or the allowance gets both by state overrides, if the node and the token allow it. Throws
 * SIMULATION_REVERTED, SIMULATION_FAILED for a result that is no amount or is below the floor, which
 * our router never returns, MISSING_PARAMETER for a signature without `from`, UPSTREAM_RPC,
 * DEADLINE_EXCEEDED.
 */
export async function simulate(need: Need, run: Run): Promise<Simulation> {
  const count = (outcome: string) => need.metrics.simulations.inc({ outcome })
  try {
    const simulation = await simulateSeen(need, run)
    count(simulation.ran ? outcomeOf(simulation.dstAmount, run) : 'not_run')
    return simulation
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SIMULATION_REVERTED') count('reverted')
    if (error instanceof ApiError && error.code === 'SIMULATION_FAILED') count('failed')
    throw error
  }
}

function outcomeOf(dstAmount: bigint, { amountOut }: Run): string {
  if (dstAmount === amountOut) return 'equal'
  return dstAmount > amountOut ? 'more' : 'less'
}

/** The same without a count. */
export async function simulateSeen(
  need: Pick<Need, 'client' | 'askNode' | 'config'>,
  run: Run,
): Promise<Simulation> {
  const { client, askNode } = need
  const { from, to, data, value, gasPrice } = run.tx
  const gas = MORE_GAS * run.tx.gas
  if (run.payment && from === ZERO_ADDRESS) {
    const message = 'is required: a signature is valid only for its signer'
    throw refusal({ path: 'from', code: 'MISSING_PARAMETER', message, expected: 'the signer' })
  }
  const account = from === ZERO_ADDRESS ? NOBODY : from
  const ask = async (): Promise<Simulation> => {
    const stateOverride = run.isFunded ? [] : await askNode(() => fund(need, account, run))
    if (!stateOverride) return { ran: false, why: NOT_RUN }
    const call = { account, to, data, value, ...(stateOverride.length > 0 && { stateOverride }) }
    const [answer, gasUsed, blockNumber] = await askPriced({ gasPrice, gas }, (terms) =>
      askNode(() =>
        Promise.all([
          client.call({ ...call, ...terms }),
          client.estimateGas({ ...call, ...terms }).catch(() => undefined),
          client.getBlockNumber(),
        ]),
      ),
    )
    const dstAmount = paidOf(answer.data, run)
    return { ran: true, dstAmount, blockNumber, ...(gasUsed !== undefined && { gasUsed }) }
  }
  try {
    return await ask()
  } catch (error) {
    if (isRevert(error)) throw reverted(error)
    // A node without state overrides rejects the whole call.
    if (!run.isFunded && isRefusal(error)) return { ran: false, why: NOT_RUN }
    throw error
  }
}

/**
 * What a sender that has all it takes is paid at a block, in wei; undefined if the node does not tell, or the call
 * reverts there, as where an approval is younger.
 */
export async function paidAt(
  { client, askNode }: Pick<Need, 'client' | 'askNode'>,
  run: Run,
  blockNumber: bigint,
): Promise<bigint | undefined> {
  const { from: account, to, data, value, gas, gasPrice } = run.tx
  try {
    const { data: got } = await askPriced({ gasPrice, gas: MORE_GAS * gas }, (terms) =>
      askNode(() => client.call({ account, to, data, value, blockNumber, ...terms })),
    )
    return paidOf(got, run)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The amount that a call of the router returns. An address without code succeeds without output. */
function paidOf(data: Hex = '0x', { minAmountOut }: Run): bigint {
  const got = data.length === 66 ? BigInt(data) : undefined
  if (got !== undefined && got >= minAmountOut) return got
  const message = 'the simulation returned no amount at or above the floor'
  throw new ApiError('SIMULATION_FAILED', message, {
    details: { got: got === undefined ? 'no amount' : `${got}`, floor: `${minAmountOut}` },
  })
}

/** The `simulation` field of `meta`. */
export function simulationMeta(simulation: Simulation) {
  if (!simulation.ran) return { ran: false }
  const { dstAmount, gasUsed, blockNumber } = simulation
  return {
    ...({ ran: true, ok: true, dstAmount: `${dstAmount}`, blockNumber: `${blockNumber}` } as const),
    ...(gasUsed !== undefined && { gasUsed: `${gasUsed}` }),
  }
}

/** Warnings about a simulation. */
export function simulationWarnings(simulation: Simulation, amountOut: bigint): readonly Warning[] {
  if (!simulation.ran) return [simulation.why]
  if (simulation.dstAmount === amountOut) return []
  const message = `the output on the node's newest state is ${simulation.dstAmount}: the market has moved`
  return [{ code: 'SIMULATION_DIFFERS', message }]
}

const NOT_RUN: Warning = {
  code: 'SIMULATION_NOT_RUN',
  message: 'the node cannot simulate a sender with this amount; set from to a wallet that has it',
}

async function fund(
  { client, config }: Pick<Need, 'client' | 'config'>,
  owner: Address,
  { tx, order, payment }: Run,
): Promise<StateOverride | undefined> {
  const { tokenIn: token, amountIn: amount } = order
  const gasCost = MORE_GAS * tx.gas * tx.gasPrice
  if (token === NATIVE) return [{ address: owner, balance: amount + gasCost }]
  const router = payment ? undefined : config.router
  const spender = payment?.by === 'permit2' ? PERMIT2 : router
  const holding = await overrideHolding(client, { token, owner, amount, spender })
  return holding && [{ address: owner, balance: gasCost }, ...holding]
}

function reverted(error: unknown): ApiError {
  const reason = revertText(revertBytesOf(error))
  return new ApiError('SIMULATION_REVERTED', `the swap reverts in simulation: ${reason}`, {
    details: { reason },
    cause: error,
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UPSTREAM_RPC'
}
