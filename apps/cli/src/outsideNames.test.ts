import { BaseError } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from './exitCodes.js'
import { frozen, runCli } from './testing/runCli.js'

/** An error with a code of the API. */
class NamedError extends BaseError {
  readonly code: string

  constructor(code: string) {
    super('no')
    this.code = code
  }
}

describe.each(Object.getOwnPropertyNames(Object.prototype))('the inherited name %s', (name) => {
  it('is no command', async () => {
    expect((await runCli([name])).code).toBe(2)
  })

  it('is no token', async () => {
    const { code, err } = await runCli([
      ...['quote', ...frozen, '--in', name, '--out', 'USDC', '--amount', '1'],
    ])
    expect([code, err]).toEqual([2, expect.stringContaining('UNKNOWN_TOKEN')])
  })

  it('is an error code like any other that is not in the table', () => {
    expect(exitCodeOf(new NamedError(name))).toBe(1)
  })
})
