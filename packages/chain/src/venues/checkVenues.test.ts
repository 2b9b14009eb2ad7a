import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { hyperEvm } from '../chains/hyperevm.js'
import { findPools } from '../market/findPools.js'
import { followMarket } from '../market/followMarket.js'
import { loadSnapshot } from '../market/loadMarket.js'
import { searchPools } from '../market/searchPools.js'
import { checkVenues, venuesSchema } from './checkVenues.js'

const { venues: hyperEvmVenues, wrapped } = hyperEvm
const { address: WHYPE } = wrapped

const factory = `0x${'CD'.repeat(20)}`
const venue = { id: 'some', family: 'uniswapV2', factory }
const refused = (extra: object) => {
  try {
    checkVenues([venue, { ...venue, id: 'wrong', ...extra }])
    return undefined
  } catch (error) {
    return error
  }
}

describe('venues', () => {
  it('of HyperEVM are read as they are, also after a way through JSON', () => {
    expect(checkVenues(hyperEvmVenues)).toEqual(hyperEvmVenues)
    const text = JSON.stringify(hyperEvmVenues, (_, v) => (typeof v === 'bigint' ? `${v}` : v))
    expect(checkVenues(JSON.parse(text))).toEqual(hyperEvmVenues)
  })

  it('may have every documented field', () => {
    const all = {
      ...{ id: 'v4', family: 'uniswapV4', factory, wrappedNative: factory, feePpm: 1, extraGas: 5 },
      ...{ feesPpm: [1], tickSpacings: [1], feeSource: 'currentFee', protocol: 'vault' },
      ...{ pairs: [[factory, WHYPE]], haircutPpm: 2, variant: 'ramses', toConfirm: ['a'] },
      fromBlock: 12,
    }
    const lower = factory.toLowerCase()
    expect(checkVenues([all])).toEqual([
      {
        ...{ ...all, factory: lower, wrappedNative: lower, pairs: [[lower, WHYPE]] },
        fromBlock: 12n,
      },
    ])
    expect(checkVenues([{ ...venue, fromBlock: '12' }])[0]!.fromBlock).toBe(12n)
  })

  it.each([
    ['a misspelt field', { feePPM: 500 }, '1.feePPM: is no field of a venue; did you mean feePpm?'],
    ['an unknown field', { fees: 1 }, '1.fees: is no field'],
    ['a prototype’s name', { toString: 1 }, '1.toString: is no field'],
    ['a negative fee', { feePpm: -500_000 }, '1.feePpm: must be an integer from 0'],
    ['a fee of everything', { feePpm: 1_000_000 }, '1.feePpm'],
    ['a fee as text', { feePpm: '2500' }, '1.feePpm'],
    [
      'a fee as a bigint',
      { feePpm: 2500n },
      '1.feePpm: must be an integer from 0 to 999999, is 2500n',
    ],
    ['one wrong fee of several', { feesPpm: [1, -1] }, '1.feesPpm'],
    ['no tick spacing', { tickSpacings: [] }, '1.tickSpacings'],
    ['an unknown family', { family: 'uniswapV9' }, '1.family: must be one of algebra'],
    ['a short factory', { factory: '0x1' }, '1.factory: must be 0x and 40 hex digits, is "0x1"'],
    ['a block before the first', { fromBlock: -1 }, '1.fromBlock'],
    ['a block that is no number', { fromBlock: '0x10' }, '1.fromBlock'],
    ['half a block', { fromBlock: 1.5 }, '1.fromBlock'],
    ['a pair of one token', { pairs: [[factory, factory]] }, '1.pairs'],
    ['a negative haircut', { haircutPpm: -1 }, '1.haircutPpm'],
    ['null', { variant: null }, '1.variant: must be one of solidly, ramses, velodrome, is null'],
    ['the id of another', { id: 'some' }, '1.id: some is the id of another'],
    ['an id with a line break', { id: 'a\nb' }, '1.id: must be letters, digits and dashes'],
  ])('with %s are refused by the name of the field', (_, extra, message) => {
    expect(refused(extra)).toMatchObject({
      code: 'BAD_VENUES',
      message: expect.stringContaining(message),
    })
  })

  it('are refused with a line for every fault', () => {
    const read = () => checkVenues([{ id: 'a' }, 7, { ...venue, feePpm: -1, feeppm: 1 }])
    expect(read).toThrow(
      expect.objectContaining({
        lines: [
          expect.stringMatching(/^0.family: is missing/),
          expect.stringMatching(/^0.factory: is missing/),
          expect.stringMatching(/^1: must be an object, is 7/),
          expect.stringMatching(/^2.feePpm: must be/),
          expect.stringMatching(/^2.feeppm: is no field/),
        ],
      }),
    )
  })

  it('are read, or refused with a code, whatever the value', () => {
    const field = fc.constantFrom(
      ...Object.keys(hyperEvmVenues[0]!),
      'feePpm',
      'pairs',
      '__proto__',
    )
    const any = fc.array(fc.oneof(fc.dictionary(field, fc.anything()), fc.anything()))
    fc.assert(
      fc.property(fc.oneof(any, fc.anything()), (value) => {
        try {
          for (const { factory: read } of checkVenues(value))
            expect(read).toMatch(/^0x[0-9a-f]{40}$/)
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_VENUES' })
        }
      }),
    )
  })

  it('are refused by every function of the library before it asks the node', async () => {
    const client = createClient('http://127.0.0.1:9')
    const venues = [{ ...venue, feePPM: 1 }] as never
    const wrong = { code: 'BAD_VENUES' }
    const rest = { onSnapshot: () => {}, onError: () => {}, start: {} as never }
    await expect(loadSnapshot(client, { venues, wrappedNative: WHYPE })).rejects.toMatchObject(
      wrong,
    )
    await expect(findPools(client, { venues, tokens: [] })).rejects.toMatchObject(wrong)
    await expect(followMarket({ client, venues, ...rest })).rejects.toMatchObject(wrong)
    const search = searchPools(client, { venues, to: { number: 1n } as never })
    await expect(search.next()).rejects.toMatchObject(wrong)
  })
})

it('the schema of venues is the file in docs', async () => {
  const file = fileURLToPath(new URL('../../../../docs/venues.schema.json', import.meta.url))
  await expect(`${JSON.stringify(venuesSchema(), null, 2)}\n`).toMatchFileSnapshot(file)
})
