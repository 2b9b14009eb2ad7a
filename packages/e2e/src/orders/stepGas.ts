/**
 * Sums the gas of a trace, step by step, by the part of the work that it serves and by the kind of
 * instruction. A call costs what its caller loses less what its callee uses. Input: a trace and the gas that
 * was charged. Output: gas by part and by kind.
 */
import type { Hex } from '@braid-swap/core'

/** One step of a trace, as a node answers `debug_traceCall`. */
export type Step = {
  readonly op: string
  readonly depth: number
  readonly gas: number
  readonly gasCost: number
  readonly stack: readonly Hex[]
  readonly memory: readonly string[]
}

/** A frame of the call stack: whose code runs, for which part, and where its steps are. */
export type Frame = {
  readonly part: string
  /** The step that made the call, and its gas, until its own cost is known. */
  readonly by?: { readonly part: string; readonly gas: number; readonly first: number }
}

/** The calldata of a transaction, the gas that it was charged, and the part that a call in it serves. */
type Summed = {
  readonly data: Hex
  readonly used: number
  readonly partOf: (call: Step, frames: readonly Frame[]) => string
}

const CALLS = ['CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE']
/** The part and the kind of what the chain gives back. */
export const REFUND = 'refund'

/** Sums the cost of every step by part and by kind; what is left of the gas used is the refund. */
export function sumSteps(
  steps: readonly Step[],
  { data, used, partOf }: Summed,
): Readonly<Record<'parts' | 'kinds', ReadonlyMap<string, number>>> {
  const [parts, kinds] = [new Map<string, number>(), new Map<string, number>()]
  const add = (part: string, kind: string, gas: number) => {
    parts.set(part, (parts.get(part) ?? 0) + gas)
    kinds.set(kind, (kinds.get(kind) ?? 0) + gas)
  }
  const frames: Frame[] = [{ part: 'router: decoding, dispatch, checks, event' }]
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1]
    const { part } = frames.at(-1)!
    if (CALLS.includes(step.op)) {
      const after = afterCall(steps, i)
      const child = next && next.depth > step.depth ? partOf(step, frames) : undefined
      const inside = child ? next!.gas - endOf(steps, i) : 0
      add(child ?? part, 'calls', step.gas - after - inside)
      if (child) frames.push({ part: child })
    } else {
      const isLast = !next || next.depth < step.depth
      add(part, kindOf(step.op), isLast ? step.gasCost : step.gas - next.gas)
      if (isLast) frames.pop()
    }
  }
  const bytes = Buffer.from(data.slice(2), 'hex')
  const intrinsic = 21_000 + bytes.reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), 0)
  add('transaction and calldata', 'transaction and calldata', intrinsic)
  const total = [...parts.values()].reduce((all, gas) => all + gas, 0)
  add(REFUND, REFUND, used - total)
  return { parts, kinds }
}

/** The gas that the caller has left after a call. */
function afterCall(steps: readonly Step[], at: number): number {
  const { depth } = steps[at]!
  return steps.find((step, i) => i > at && step.depth <= depth)!.gas
}

/** The gas that the callee has left when it ends. */
function endOf(steps: readonly Step[], at: number): number {
  const { depth } = steps[at]!
  const end = steps.findIndex((step, i) => i > at && step.depth <= depth) - 1
  return steps[end]!.gas - steps[end]!.gasCost
}

function kindOf(op: string): string {
  if (op === 'SSTORE' || op === 'SLOAD') return op
  if (op === 'TSTORE' || op === 'TLOAD') return 'transient storage'
  if (op.startsWith('LOG')) return 'events'
  if (/^(EXTCODE|BALANCE|SELFBALANCE)/.test(op)) return 'accounts'
  return 'arithmetic, memory, jumps'
}
