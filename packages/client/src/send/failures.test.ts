// What wallets and nodes throw, and what follows from it: whether a transaction may be under way.

import { describe, expect, it } from 'vitest'
import { rpcError } from '../testing/layeredWallet.js'
import { causesOf, isRefusal, isSentAlready, revertDataOf } from './failures.js'

/** An error as libraries wrap it. */
const wrapped = (cause: unknown) => new Error('An unknown RPC error occurred.', { cause })

describe('a failure', () => {
  it.each([
    [rpcError(4001, 'User rejected the request.'), true],
    [rpcError(-32003, 'transaction rejected'), true],
    [wrapped(rpcError(4001, 'no')), true],
    [{ code: -32603, data: { originalError: rpcError(-32000, 'no') } }, false],
    [rpcError(-32603, 'insufficient funds for gas * price + value'), true],
    [rpcError(-32603, 'transfer amount exceeds balance'), true],
    [new Error('insufficient funds'), true],
    [rpcError(-32603, 'Internal JSON-RPC error.'), false],
    [rpcError(-32005, 'limit exceeded'), false],
    [rpcError(-1, 'unknown'), false],
    [rpcError(-32000, 'request timed out'), false],
    [rpcError(-32000, 'timeout'), false],
    [rpcError(502, 'Bad Gateway'), false],
    [rpcError(4001, 'Failed to fetch'), false],
    [wrapped(Object.assign(rpcError(-32000, 'x'), { details: 'time-out' })), false],
    [new TypeError('fetch failed'), false],
    [{ code: 'ECONNRESET' }, false],
    [undefined, false],
  ])('%s is a refusal: %s', (error, expected) => {
    expect(isRefusal(error)).toBe(expected)
  })

  it.each([
    ['already known', true],
    ['transaction already imported', true],
    ['known transaction: 0x1', true],
    ['nonce too low: next nonce 5, tx nonce 4', true],
    ['nonce is too low', true],
    ['Nonce has already been used', true],
    ['replacement transaction underpriced', false],
    ['nonce too high', false],
  ])('“%s” says that it was sent already: %s', (message, expected) => {
    expect(isSentAlready(wrapped(rpcError(-32000, message)))).toBe(expected)
    expect(isSentAlready(Object.assign(new Error('x'), { details: message }))).toBe(expected)
  })

  it.each([
    [{ code: 3, data: '0x08c379a0' }, '0x08c379a0'],
    [wrapped({ code: -32603, data: { data: '0xABcd' } }), '0xABcd'],
    [{ data: { originalError: { data: '0x12' } } }, '0x12'],
    [rpcError(3, 'no'), '0x'],
    [rpcError(-32000, 'execution reverted'), '0x'],
    [{ code: 3, data: '0x123' }, '0x'],
    [{ code: 3, data: 'Reverted' }, '0x'],
    [{ code: 3, data: null }, '0x'],
    [rpcError(-32000, 'header not found'), undefined],
    [undefined, undefined],
  ])('%j is a revert with the data %s', (error, data) => {
    expect(revertDataOf(error)).toBe(data)
  })

  it('that names itself as its cause ends', () => {
    const error = { cause: undefined as unknown }
    error.cause = error
    expect(causesOf(error)).toHaveLength(9)
    expect(causesOf('text')).toEqual([])
  })
})
