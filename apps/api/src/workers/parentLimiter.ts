/** Token buckets in the process that started this one, so that its workers share them exactly. */
import type { Channel } from '@braid-swap/feed'
import { createLimiter, type Limiter, type Limits, type Taken } from '../keys/rateLimiter.js'
import { answerQuestions, createAsker } from './channel.js'

const NAME = 'braid limits'
/** The parent answers within microseconds; if it is stuck, the worker counts for itself. */
const TIMEOUT_MS = 1_000

type Move = readonly [kind: keyof Limiter, name: string, cost: number, limits: Limits]

/** Shares a limiter with a worker; returns a function that ends it. */
export function serveLimiter(limiter: Limiter, channel: Channel): () => void {
  return answerQuestions<Move, Taken>(channel, NAME, ([kind, name, cost, limits]) =>
    limiter[kind](name, cost, limits),
  )
}

/** The limiter of the parent. */
export function createParentLimiter(channel: Channel, now: () => number): Limiter {
  const ask = createAsker<Move, Taken>(channel, NAME, TIMEOUT_MS)
  const own = createLimiter(now)
  const move = async (...of: Move) => {
    const [kind, ...rest] = of
    return (await ask(of)) ?? own[kind](...rest)
  }
  return {
    take: (...of) => move('take', ...of),
    giveBack: (...of) => move('giveBack', ...of),
    charge: (...of) => move('charge', ...of),
  }
}
