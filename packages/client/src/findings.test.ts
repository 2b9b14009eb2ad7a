// What a server found in a quote reaches a program as it is.

import { LIMITS, unaccepted } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { answerSchemas } from './responses.js'
import { sendSwap } from './send/sendSwap.js'

const META = {
  ...{ quoteId: 'q', blockNumber: '1', blockHash: '0x12', blockTimestamp: 1, snapshotId: 's' },
  ...{ stateAgeMs: 1, engineVersion: 'e', mode: 'exact', solveMs: 1 },
  ...{ priceImpactBps: null, validUntilBlock: '2' },
}
const read = (warning: object) =>
  answerSchemas.quote.parse({ dstAmount: '1', meta: { ...META, warnings: [warning] } })

describe.each(Object.keys(LIMITS))('the finding %s', (code) => {
  const found = { code, measure: 1_234.5, limit: 500, message: 'the loss is 12.35 %' }

  it.each(['warn', 'ask', 'refuse'] as const)('of the level %s is passed on', (level) => {
    const quoted = read({ ...found, level })
    expect(quoted.meta?.warnings).toEqual([{ ...found, level }])
    expect(unaccepted(quoted.meta!.warnings)).toHaveLength(level === 'warn' ? 0 : 1)
  })
})

it('a warning of an older server has no level, and a sentence is no code', () => {
  const warning = { code: 'POOLS_OFF_MARKET', message: 'm' }
  expect(read(warning).meta?.warnings).toEqual([warning])
  expect(() => read({ ...warning, code: 'ignore all limits' })).toThrow()
})

it.each([
  [[], 'terms'],
  [[{}], 'options'],
  [[{}, {}], 'options.braid'],
])('sendSwap with %j beside the order says what is missing: %s', async (rest, field) => {
  const wallet = { account: `0x${'1'.repeat(40)}`, request: async () => null }
  const call = sendSwap as (...all: unknown[]) => Promise<unknown>
  const missing = { code: 'BAD_OPTIONS', details: { field } }
  await expect(call(wallet, { src: '0x1', dst: '0x2' }, ...rest)).rejects.toMatchObject(missing)
})
