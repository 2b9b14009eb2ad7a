/**
 * Compares what a swap did, by the node's trace, with what the verification reads in its calldata: who
 * paid what to whom, and the pools in their order. A verifier sees only the calldata, so the calldata
 * must say what happens.
 */
import { type Address, type Hex, type Intent, NATIVE } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { decodeFunctionData, erc20Abi, toFunctionSelector } from 'viem'

/** A call and the calls that it made, as the node's tracer shows them. */
export type Trace = {
  readonly type: string
  readonly from: Address
  readonly to?: Address
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly calls?: readonly Trace[]
}

/** The calls of a mined transaction. */
export function traceOf({ client }: Pick<Devnet, 'client'>, hash: Hex): Promise<Trace> {
  return client.request<{
    Method: 'debug_traceTransaction'
    Parameters: [Hex, { tracer: 'callTracer' }]
    ReturnType: Trace
  }>({ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] })
}

const [TRANSFER, APPROVE] = ['transfer(address,uint256)', 'approve(address,uint256)'].map((name) =>
  toFunctionSelector(name),
)
/** What a hop that is paid natively calls after its pool. */
const WRAP = toFunctionSelector('deposit()')
const PULL = toFunctionSelector('transferFrom(address,address,uint256)')
/** Their pools are called through their vault, which the trace names in place of the pool. */
const IN_A_VAULT = /^balancer/

/** Lists what of a successful transaction differs from its intent. */
export function checkTraceOf(
  trace: Trace,
  { call, hops }: Intent,
  { router, executor }: Pick<Devnet, 'router' | 'executor'>,
): readonly string[] {
  const faults: string[] = []
  const made = callsIn(trace)
  const run = made.find(
    ({ from, to, type }) => from === router && to === executor && type === 'CALL',
  )
  const own = (run?.calls ?? []).filter(({ type, error }) => type === 'CALL' && !error)
  const swaps = own.filter(({ input }) => ![TRANSFER, APPROVE, WRAP].includes(selectorOf(input)))
  const called = swaps.map(({ to }) => to)
  const named = hops.map(({ pool, families }, i) =>
    families.some((family) => IN_A_VAULT.test(family)) ? called[i] : pool,
  )
  if (`${called}` !== `${named}`) faults.push(`calls ${called}, the program names ${named}`)

  const pulls = made.filter(
    ({ from, input }) => selectorOf(input) === PULL && [router, PERMIT2].includes(from),
  )
  const wanted = call.tokenIn === NATIVE ? [] : [`${trace.from} ${call.amountIn} ${call.tokenIn}`]
  const pulled = pulls.map(({ input, to }) => {
    const { args } = decodeFunctionData({ abi: erc20Abi, data: input })
    return `${`${args?.[0]}`.toLowerCase()} ${args?.[2]} ${to}`
  })
  if (`${pulled}` !== `${wanted}`) faults.push(`pulled ${pulled}, the call says ${wanted}`)
  return faults
}

/** A call and all that it caused, in order. */
function callsIn(trace: Trace): readonly Trace[] {
  return [trace, ...(trace.calls ?? []).flatMap(callsIn)]
}

function selectorOf(input: Hex): Hex {
  return input.slice(0, 10) as Hex
}
