// What wallets and nodes throw, and what follows from it.

import { describe, expect, it } from 'vitest'
import { rpcError } from '../testing/layeredWallet.js'
import { causesOf, isDeclined, revertDataOf } from './failures.js'

/** An error as libraries wrap it. */
const wrapped = (cause: unknown) => new Error('An unknown RPC error occurred.', { cause })

describe('a failure', () => {
  it.each<readonly [unknown, boolean]>([
    [rpcError(4001, 'User rejected the request.'), true],
    [wrapped(rpcError(4001, 'no')), true],
    [{ code: -32603, data: { originalError: rpcError(4001, 'no') } }, true],
    ...[4100, 4900, 5000, -1, -32000, -32002, -32003, -32603, -32700, '4001'].map(
      (code) => [Object.assign(new Error('rejected by the user'), { code }), false] as const,
    ),
    [new Error('User rejected the request.'), false],
    [new TypeError('fetch failed'), false],
    [undefined, false],
  ])('%s is the word of an owner who declined: %s', (error, expected) => {
    expect(isDeclined(error)).toBe(expected)
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
