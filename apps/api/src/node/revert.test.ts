import { CallExecutionError, RpcRequestError, TimeoutError } from 'viem'
import { expect, it } from 'vitest'
import { ApiError } from '../errors.js'
import { isRevert } from './revert.js'

const answered = (code: number, message: string) => {
  const error = { code, message }
  return new RpcRequestError({ body: {}, error, url: 'http://127.0.0.1' })
}
const thrown = (cause: Error) =>
  new ApiError('UPSTREAM_RPC', 'no answer', { cause: new CallExecutionError(cause as never, {}) })

it.each([
  [3, 'execution reverted'],
  [-32000, 'execution reverted: Slippage'],
  [-32003, 'execution reverted'],
  [-32003, 'EVM error: Revert'],
  [-32603, 'Failed to call: InvalidTransaction(Revert(RevertError { output: None }))'],
  [-32000, 'VM Exception while processing transaction: revert'],
])('%i %s is a revert', (code, message) => {
  expect(isRevert(thrown(answered(code, message)))).toBe(true)
})

it.each([
  [-32000, 'header not found'],
  [-32000, 'out of gas'],
  [-32603, 'internal error'],
  [-32003, 'transaction rejected'],
  [-32000, 'irrevertible'],
  [-32005, 'traffic reverted to another backend'],
  [4_001, 'a word that nobody knows'],
])('%i %s is none', (code, message) => {
  expect(isRevert(thrown(answered(code, message)))).toBe(false)
})

it('is none without an answer', () => {
  expect(isRevert(thrown(new TimeoutError({ body: {}, url: 'http://127.0.0.1' })))).toBe(false)
  expect(isRevert(new ApiError('UPSTREAM_RPC', 'no cause'))).toBe(false)
})
