import { type Evaluation, evaluate } from '../evaluate.js'
import { ANY_LEGS, type Request } from '../request.js'
import type { Answer, ReadyRouter } from '../routers/router.js'

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
}

/** The number of times that each router gets the same request. */
export type Timing = { readonly warmUps: number; readonly repeats: number }

/** One request, for quality. */
const ONCE: Timing = { warmUps: 0, repeats: 1 }

/**
 * Runs one request on all routers, in turns, so that other load on the machine affects all of them
 * alike. The exact evaluator judges every answer, and the independent checker sees every bound. A
 * rival that throws has no answer; an error of our own router is thrown.
 */
export async function tryAll(
  routers: readonly ReadyRouter[],
  request: Request,
  timing: Timing = ONCE,
): Promise<readonly Trial[]> {
  const samples = routers.map((): number[] => [])
  const answers: (Answer | undefined)[] = routers.map(() => undefined)
  for (let turn = 0; turn < timing.warmUps + timing.repeats; turn++) {
    for (const [i, router] of routers.entries()) {
      const start = performance.now()
      try {
        const pending = router.quote(request)
        // A synchronous router does not wait for the event loop.
        answers[i] = pending instanceof Promise ? await pending : pending
      } catch (error) {
        if (router.proves) throw error
      }
      const ms = performance.now() - start
      if (turn >= timing.warmUps) samples[i]!.push(ms)
    }
  }
  return routers.map((router, i) => {
    const answer = answers[i]
    if (answer?.bound) router.proves?.(request, answer.bound)
    const asked = router.capsLegs ? request : { ...request, maxLegs: ANY_LEGS }
    return {
      ...{ router: router.name, request, answer },
      worth: evaluate(asked, answer?.hops),
      ...{ ms: Math.min(...samples[i]!), samplesMs: samples[i]! },
    }
  })
}

/** One router, one request, once. */
export async function tryOne(router: ReadyRouter, request: Request): Promise<Trial> {
  const [trial] = await tryAll([router], request)
  return trial!
}
