import { BadAnswerError, RefusedError, SendError, UnreachableError } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { describeError, type ErrorText } from './errorText.js'

const tokens = new Map([
  [NATIVE, { address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 18, verified: true }],
])
const refusal = (code: string, message: string, more: object = {}) =>
  new RefusedError(
    {
      ...{ statusCode: 400, code, message, requestId: 'r1', retryable: false },
      ...{ issues: [], details: {}, ...more },
    },
    undefined,
  )
const issue = (message: string) => ({
  ...{ in: 'query', path: 'amount', code: 'X', message, expected: 'else' },
})
const linesOf = ({ title, detail, faults }: ErrorText) =>
  [title, detail, ...faults].filter((line) => line !== undefined)

describe('an error', () => {
  it('for a short balance shows the amounts in tokens, once', () => {
    const message = 'Not enough balance: 0x3C44 holds 250000000000000000000000 of HYPE'
    const details = {
      token: NATIVE,
      available: `${25n * 10n ** 22n}`,
      required: `${3n * 10n ** 23n}`,
    }
    const error = refusal('BALANCE_INSUFFICIENT', message, { details, issues: [issue(message)] })
    expect(linesOf(describeError(error, tokens))).toEqual([
      'The account has too little for this swap',
      'It has 250,000 HYPE; 300,000 HYPE is needed.',
    ])
  })

  it('for a sale that leaves too little for gas shows both sums', () => {
    const details = { token: NATIVE, available: `${10n ** 18n}`, required: `${15n * 10n ** 17n}` }
    expect(describeError(refusal('GAS_NOT_COVERED', 'in wei', { details }), tokens).detail).toBe(
      'It has 1 HYPE; 1.5 HYPE is needed with the gas.',
    )
  })

  it('for a short allowance shows the amounts in tokens', () => {
    const details = { token: NATIVE, available: '0', required: '1500000000000000000' }
    const error = refusal('ALLOWANCE_INSUFFICIENT', 'in wei', { details })
    expect(describeError(error, tokens).detail).toBe('It may spend 0 HYPE; 1.5 HYPE is needed.')
  })

  it.each([
    ['AMOUNT_TOO_SMALL', 'the amount is too small to buy one wei'],
    ['STATE_STALE', 'the newest state is 12000 ms old'],
    ['TOKEN_NOT_FOUND', 'dst must be a token: this address does not answer decimals()'],
  ])('%s is one line: its message would repeat the title', (code, message) => {
    expect(linesOf(describeError(refusal(code, message), tokens))).toHaveLength(1)
  })

  it('of a server in trouble does not blame the request', () => {
    const error = refusal('UPSTREAM_RPC', 'the node did not answer', { statusCode: 503 })
    expect(linesOf(describeError(error, tokens))).toEqual([
      'The API cannot answer now',
      'the node did not answer',
    ])
  })

  it('lists only the faults that its message does not contain', () => {
    const one = refusal('INVALID_AMOUNT', 'amount is odd', { issues: [issue('amount is odd')] })
    expect(linesOf(describeError(one, tokens))).toEqual([
      'The API rejected the request',
      'amount is odd',
    ])
    const issues = [issue('amount is odd'), issue('src is odd')]
    const joined = refusal('INVALID_AMOUNT', 'amount is odd; src is odd', { issues })
    expect(describeError(joined, tokens).faults).toEqual([])
    const half = refusal('INVALID_AMOUNT', 'amount is odd', { issues })
    expect(describeError(half, tokens).faults).toEqual(['src is odd'])
  })

  it('without a response is one line and says that the page retries', () => {
    const shown = describeError(new UnreachableError('no answer from http://x', {}), tokens)
    expect(linesOf(shown)).toEqual(['The API is not responding'])
    expect([shown.code, shown.isAskedAgain]).toEqual(['API_UNREACHABLE', true])
  })

  it.each([502, 503, 504])('of a proxy that answers %i is called that, and passes', (status) => {
    const shown = describeError(new BadAnswerError(`it answered ${status}`, { status }), tokens)
    expect(linesOf(shown)).toEqual([
      'The API is not responding',
      `A server in front of it answered ${status}.`,
    ])
    expect(shown.isAskedAgain).toBe(true)
  })

  it.each([
    [
      'mined',
      { hash: '0x1' },
      /^The swap reverted: no tokens were swapped, and only gas was paid$/,
    ],
    ['not sent', {}, /^This swap would revert, so it was not sent$/],
  ])('of a swap that was %s says so', (_, details, title) => {
    const error = new SendError('REVERTED', 'why', details)
    expect(describeError(error, tokens)).toMatchObject({ title: expect.stringMatching(title) })
  })

  it('of any other kind keeps its message', () => {
    expect(describeError(new Error('boom'), tokens)).toMatchObject({ detail: 'boom' })
    const odd = describeError(new BadAnswerError('it answered 200', { status: 200 }), tokens)
    expect(odd).toMatchObject({ detail: 'it answered 200', isAskedAgain: false })
    expect(describeError('text', tokens).detail).toBe('text')
  })
})
