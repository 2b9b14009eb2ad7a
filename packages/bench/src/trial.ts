import { type Evaluation, evaluate } from './evaluate.js'
import type { Request } from './request.js'
import type { Answer, ReadyRouter } from './routers/router.js'

/** One router's answer to one request, judged and timed. */
export type Trial = {
  readonly router: string
  readonly request: Request
  readonly answer: Answer | undefined
  /** `undefined` if there was no answer or the chain would refuse it. */
  readonly worth: Evaluation | undefined
  /** The fastest of the timed repeats, in milliseconds. */
  readonly ms: number
  /** Every timed repeat, in milliseconds. */
  readonly samplesMs: readonly number[]
  /** Whether the answer states a bound that the independent checker does not prove. */
  readonly isUnproved: boolean
  /** What the router threw, which counts as no answer. */
  readonly error?: string
}

/** How often each router is asked the same. */
export type Timing = { readonly warmUps: number; readonly repeats: number }

/** Asked once, for quality. */
const ONCE: Timing = { warmUps: 0, repeats: 1 }

/**
 * Asks all routers one request, in turns, so that whatever else the machine does falls on all of
 * them alike; judges every answer by the exact evaluator.
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
        // A router that answers at once is not made to wait for the event loop.
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
