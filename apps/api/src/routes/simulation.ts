import { routerAbi } from '@braid-swap/contracts'
import { type Address, NATIVE, type Order, type Payment, PERMIT2 } from '@braid-swap/core'
import { decodeErrorResult, type Hex, type StateOverride, BaseError as ViemError } from 'viem'
import { ApiError, messageOf } from '../errors.js'
import { askNode } from '../node.js'
import type { RouteParts } from '../parts.js'
import type { Warning } from '../wire/responses.js'
import { isRevert } from './estimate.js'
import { overrideHolding } from './overrides.js'
import { ZERO_ADDRESS } from './swapCall.js'
import type { Tx } from './swapTx.js'

/** What the node's newest state makes of a transaction, or why it was not asked. */
export type Simulation =
  | {
      readonly ran: true
      readonly dstAmount: bigint
      /** Absent where the node gave none. */
      readonly gasUsed?: bigint
      readonly blockNumber: bigint
    }
  | { readonly ran: false; readonly why: Warning }

/** Who sends where nobody is named. */
const NOBODY: Address = '0xb4a1db4a1db4a1db4a1db4a1db4a1db4a1db4a1d'

/** What is to be run, for whom, and whether the sender is known to have what it takes. */
export type Run = {
  readonly tx: Omit<Tx, 'gas'>
  readonly order: Order
  /** What was quoted. */
  readonly amountOut: bigint
  /** The floor in the calldata. */
  readonly minAmountOut: bigint
  readonly payment: Payment | undefined
  readonly isFunded: boolean
}

/**
 * Runs the very calldata by `eth_call` on the node's newest state. A sender that may lack the amount
 * or the allowance is given both, where the node and the token allow it. Throws SIMULATION_REVERTED,
 * SIMULATION_FAILED for an answer that is no amount or one below the floor, which our router never
 * gives, MISSING_PARAMETER for a signature of nobody, UPSTREAM_RPC, DEADLINE_EXCEEDED.
 */
export async function simulate(parts: RouteParts, run: Run): Promise<Simulation> {
  const count = (outcome: string) => parts.metrics.simulations.inc({ outcome })
  try {
    const simulation = await runOnNode(parts, run)
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

async function runOnNode(parts: RouteParts, run: Run): Promise<Simulation> {
  const { client, config } = parts
  const { from, to, data, value } = run.tx
  if (run.payment && from === ZERO_ADDRESS) {
    const message = 'is required: a signature is only good for who signed it'
    const code = 'MISSING_PARAMETER'
    const issues = [{ in: 'query', path: 'from', code, message, expected: 'the signer' }] as const
    throw new ApiError(code, messageOf(issues), { issues })
  }
  const account = from === ZERO_ADDRESS ? NOBODY : from
  const ask = async (): Promise<Simulation> => {
    const stateOverride = run.isFunded ? [] : await fund(parts, account, run)
    if (!stateOverride) return { ran: false, why: NOT_RUN }
    const call = { account, to, data, value, ...(stateOverride.length > 0 && { stateOverride }) }
    const [answer, gasUsed, blockNumber] = await Promise.all([
      client.call(call),
      client.estimateGas(call).catch(() => undefined),
      client.getBlockNumber(),
    ])
    const dstAmount = paidOf(answer.data, run)
    return { ran: true, dstAmount, blockNumber, ...(gasUsed !== undefined && { gasUsed }) }
  }
  try {
    return await askNode(ask, config.nodeTimeoutMs)
  } catch (error) {
    if (isRevert(error)) throw reverted(error)
    // A node that knows no overrides refuses the whole call.
    if (!run.isFunded && isRefusal(error)) return { ran: false, why: NOT_RUN }
    throw error
  }
}

/** The amount that a call of the router returns. An address without code returns nothing and succeeds. */
function paidOf(data: Hex = '0x', { minAmountOut }: Run): bigint {
  const got = data.length === 66 ? BigInt(data) : undefined
  if (got !== undefined && got >= minAmountOut) return got
  const message = 'the node did not answer the simulation as our router does'
  throw new ApiError('SIMULATION_FAILED', message, {
    details: { got: got === undefined ? 'no amount' : `${got}`, floor: `${minAmountOut}` },
  })
}

/** What `meta` says of a simulation. */
export function simulationMeta(simulation: Simulation) {
  if (!simulation.ran) return { ran: false }
  const { dstAmount, gasUsed, blockNumber } = simulation
  return {
    ...{
      ran: true as const,
      ok: true as const,
      dstAmount: `${dstAmount}`,
      blockNumber: `${blockNumber}`,
    },
    ...(gasUsed !== undefined && { gasUsed: `${gasUsed}` }),
  }
}

/** What there is to say of a simulation beside its figures. */
export function simulationWarnings(simulation: Simulation, amountOut: bigint): readonly Warning[] {
  if (!simulation.ran) return [simulation.why]
  if (simulation.dstAmount === amountOut) return []
  const message = `on the node's newest state ${simulation.dstAmount} comes out: the market has moved`
  return [{ code: 'SIMULATION_DIFFERS', message }]
}

const NOT_RUN: Warning = {
  code: 'SIMULATION_NOT_RUN',
  message: 'the sender cannot be given the amount on this node; name a from that has it',
}

async function fund(
  { client, config }: RouteParts,
  owner: Address,
  { order, payment }: Run,
): Promise<StateOverride | undefined> {
  const { tokenIn: token, amountIn: amount } = order
  if (token === NATIVE) return [{ address: owner, balance: amount }]
  const router = payment ? undefined : config.router
  const spender = payment?.by === 'permit2' ? PERMIT2 : router
  return overrideHolding(client, { token, owner, amount, spender })
}

function reverted(error: unknown): ApiError {
  const reason = reasonOf(error)
  return new ApiError('SIMULATION_REVERTED', `on the node this swap reverts now: ${reason}`, {
    details: { reason },
    cause: error,
  })
}

/** The router's own error with its arguments, else the text or the first bytes that came back. */
function reasonOf(error: unknown): string {
  const bytes = revertBytesOf(error)
  try {
    const { errorName, args } = decodeErrorResult({ abi: routerAbi, data: bytes })
    return `${errorName}(${(args ?? []).join(', ')})`
  } catch {
    return bytes === '0x' ? 'without a reason' : bytes.slice(0, 10)
  }
}

function revertBytesOf(error: unknown): Hex {
  const cause = error instanceof Error ? error.cause : undefined
  const inner: unknown = cause instanceof ViemError ? cause.walk() : undefined
  const held =
    inner !== null && typeof inner === 'object' && 'data' in inner ? inner.data : undefined
  const nested = typeof held === 'object' && held !== null && 'data' in held ? held.data : held
  return typeof nested === 'string' && /^0x[0-9a-f]*$/i.test(nested) ? (nested as Hex) : '0x'
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UPSTREAM_RPC'
}
