import { HttpRequestError, RpcRequestError } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  isBusy,
  isExecutionFailure,
  isMissingBlock,
  isPassing,
  isRefusal,
  isTooLarge,
} from './rpcErrors.js'

const url = 'http://127.0.0.1'
const rpc = (code: number, message: string) =>
  new RpcRequestError({ body: {}, error: { code, message }, url })

const meanings = {
  busy: { isBusy: true, isPassing: true, isRefusal: false, isTooLarge: false },
  tooMuch: { isBusy: false, isPassing: false, isRefusal: true, isTooLarge: true },
  unclear: { isBusy: false, isPassing: true, isRefusal: true, isTooLarge: false },
  refused: { isBusy: false, isPassing: false, isRefusal: true, isTooLarge: false },
}

const meaningOf = (error: unknown) => ({
  ...{ isBusy: isBusy(error), isPassing: isPassing(error) },
  ...{ isRefusal: isRefusal(error), isTooLarge: isTooLarge(error) },
})

describe('classifying an RPC error', () => {
  it.each([
    ['busy', -32005, 'rate limited'],
    ['busy', -32005, 'project ID request rate exceeded'],
    ['busy', -32005, 'daily request count exceeded, request rate limited'],
    ['busy', -32005, "You've exceeded the RPS limit available on the current plan."],
    ['busy', -32005, 'Too Many Requests'],
    ['busy', -32007, '50/second request limit reached'],
    ['busy', 429, 'Your app has exceeded its compute units per second capacity'],
    ['tooMuch', -32005, 'query returned more than 10000 results'],
    ['tooMuch', -32005, 'query timeout exceeded'],
    ['tooMuch', -32005, 'Requested range exceeds maximum RPC range limit'],
    ['tooMuch', -32005, 'Number of requests exceeds max batch size'],
    ['tooMuch', -32008, 'Response is too big'],
    ['unclear', -32005, 'limit exceeded'],
    ['unclear', -32005, 'rate limit exceeded, try a smaller block range'],
    ['refused', -32602, 'query exceeds max block range 50'],
    ['refused', -32000, 'header not found'],
  ] as const)('%s: %s %s', (meaning, code, message) => {
    const error = rpc(code, message)
    expect(meaningOf(error)).toEqual(meanings[meaning])
    // At any depth in the chain of causes.
    expect(meaningOf(new Error('outer', { cause: error }))).toEqual(meanings[meaning])
  })

  it.each([
    ['busy', 429],
    ['tooMuch', 413],
    ['refused', 400],
  ] as const)('%s: HTTP %i', (meaning, status) => {
    expect(meaningOf(new HttpRequestError({ status, url }))).toEqual(meanings[meaning])
  })
})

it('does not take a block that a backend lacks for a call that failed', () => {
  for (const text of ['header not found', 'block not found', 'unknown block']) {
    const error = rpc(-32000, text)
    expect([isMissingBlock(error), isExecutionFailure(error)]).toEqual([true, false])
  }
  const reverted = rpc(-32000, 'execution reverted')
  expect([isMissingBlock(reverted), isExecutionFailure(reverted)]).toEqual([false, true])
})
