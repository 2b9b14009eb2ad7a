import { type Evaluation, evaluate } from './evaluate.js'
import type { Request } from './request.js'
import type { Answer, ReadyRouter } from './routers/router.js'

/** One router's answer to one request, evaluated and timed. */
export type Trial = {
  readonly router: string
  readonly request: Request
  readonly answer: Answer | undefined
  /** `undefined` if there was no answer or it would revert on chain. */
  readonly worth: Evaluation | undefined
  /** The fastest of the timed repeats, in milliseconds. */
  readonly ms: number
  /** Every timed repeat, in milliseconds. */
  readonly samplesMs: readonly number[]
  /** Whether the answer claims a bound that the independent checker does not confirm. */
  readonly isUnproved: boolean
  /** The error that the router threw; it counts as no answer. */
  readonly error?: string
}

/** How often each router gets the same request. */
export type Timing = { readonly warmUps: number; readonly repeats: number }

/** One request, for quality. */
const ONCE: Timing = { warmUps: 0, repeats: 1 }

/**
 * Runs one request on all routers, in turns, so that other load on the machine affects all of them
 * alike. The exact evaluator judges every answer.
 */
export async function tryAll(
  routers: readonly ReadyRouter[],
  request: Request,
  timing: Timing = ONCE,
): Promise<readonly Trial[]> {
  const samples = routers.map((): number[] => [])
  const answers: (Answer | undefined)[] = routers.map(() => undefined)
  const errors: (string | undefined)[] = routers.map(() => undefined)
  for (let turn = 0; turn < timing.warmUps + timing.repeats; turn++) {
    for (const [i, router] of routers.entries()) {
      const start = performance.now()
      try {
        const pending = router.quote(request)
        // A synchronous router does not wait for the event loop.
        answers[i] = pending instanceof Promise ? await pending : pending
      } catch (error) {
        errors[i] = String(error)
      }
      const ms = performance.now() - start
      if (turn >= timing.warmUps) samples[i]!.push(ms)
    }
  }
  return routers.map((router, i) => ({
    router: router.name,
    request,
    answer: answers[i],
    worth: evaluate(
      router.capsLegs ? request : { ...request, maxLegs: Infinity },
      answers[i]?.hops,
    ),
    ms: Math.min(...samples[i]!),
    samplesMs: samples[i]!,
    isUnproved: isUnproved(router, request, answers[i]),
    ...(errors[i] === undefined ? {} : { error: errors[i]! }),
  }))
}

function isUnproved(router: ReadyRouter, request: Request, answer: Answer | undefined): boolean {
  return answer?.bound !== undefined && router.proves?.(request, answer.bound) === false
}

/** One router, one request, once. */
export async function tryOne(router: ReadyRouter, request: Request): Promise<Trial> {
  const [trial] = await tryAll([router], request)
  return trial!
}
