import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph } from './graph.js'
import { toHex } from './hex.js'
import { type FamilyName, families, type Pool } from './pools/index.js'
import { quote } from './quote.js'
import type { Snapshot } from './snapshot.js'
import {
  BadSnapshotError,
  parseSnapshot,
  snapshotSchema,
  stringifySnapshot,
} from './snapshotFile.js'
import { TOKEN_A, TOKEN_B } from './testing/arbitrary.js'
import { anyMarketOfEveryFamily, poolsOfFamily } from './testing/everyFamily.js'

type Json = { [name: string]: unknown }
type File = Json & { block: Json; tokens: Json[]; pools: (Json & { family: string; id: string })[] }

const [market] = fc.sample(anyMarketOfEveryFamily, { numRuns: 1, seed: 7 }) as [Snapshot]
const text = stringifySnapshot(market)

/** The error of the market after a change of its file; `undefined` if it is accepted. */
function refusal(change: (file: File) => void): BadSnapshotError | undefined {
  const file = JSON.parse(text) as File
  change(file)
  return refusalOf(JSON.stringify(file))
}

function refusalOf(changed: string): BadSnapshotError | undefined {
  try {
    parseSnapshot(changed)
  } catch (error) {
    if (error instanceof BadSnapshotError) return error
    throw error
  }
  return undefined
}

/** The details of the refusal after a change of one pool; the pool is found by a field that only it has. */
function refusalIn(family: FamilyName, change: (pool: Json) => void, form?: string) {
  let id: string | undefined
  const error = refusal(({ pools }) => {
    const pool = pools.find(
      (one) =>
        one.family === family && (!form || form in one || (one['form'] as Json)?.['kind'] === form),
    )!
    id = pool.id
    change(pool)
  })
  if (error) expect(error.details['pool']).toBe(id)
  return error?.details
}

function put(target: Json, name: string, value: unknown): void {
  target[name] = value
}

const without = (name: string) => (pool: Json) => void delete pool[name]
const withValue = (name: string, value: unknown) => (pool: Json) => put(pool, name, value)
const HUGE = `1${'0'.repeat(5_000)}`

describe('the door for snapshots', () => {
  it('accepts a market with every form of every family, and gives back what was written', () => {
    expect(parseSnapshot(text)).toEqual(market)
    const names = new Set(market.pools.map(({ family }) => family))
    expect([...names].sort()).toEqual(Object.keys(families).sort())
  })

  it('accepts any such market', () => {
    fc.assert(
      fc.property(anyMarketOfEveryFamily, (any) => {
        expect(parseSnapshot(stringifySnapshot(any))).toEqual(any)
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['uniswapV3', 'tickSpacing'],
    ['algebraV1', 'ticksPerBit'],
  ] as const)('refuses a pool of %s without %s, whose quotes never ended', (family, field) => {
    expect(refusalIn(family, without(field))).toMatchObject({ family, field, got: 'nothing' })
  })

  it.each([
    ['uniswapV3', 'liquidity'],
    ['erc4626', 'totalSupply'],
  ] as const)(
    'refuses a pool of %s with 10^5000 as %s, whose quotes never ended',
    (family, field) => {
      expect(refusalIn(family, withValue(field, HUGE))).toMatchObject({ family, field })
    },
  )

  it.each(['-1', '1.5', 7, null, `${1n << 112n}`])('refuses a reserve of %s', (reserve) => {
    const change = (pool: Json) => put(pool, 'reserves', ['1000000', reserve])
    expect(refusalIn('uniswapV2', change)).toMatchObject({ field: 'reserves[1]' })
  })

  it('refuses a ladder with a negative rung, which paid less than nothing', () => {
    const change = (pool: Json) => {
      const [there] = pool['ladders'] as [string[][]]
      there[0]![1] = '-562949953420872'
    }
    expect(refusalIn('ladder', change)).toMatchObject({
      field: 'ladders[0][0][1]',
      got: '-562949953420872',
    })
  })

  it('refuses a price of 2^200, which paid 3.65e60', () => {
    expect(refusalIn('uniswapV3', withValue('sqrtPriceX96', `${1n << 200n}`))).toMatchObject({
      field: 'sqrtPriceX96',
    })
  })

  it('refuses a negative fee', () => {
    for (const family of ['uniswapV2', 'uniswapV3', 'solidly'] as const) {
      const details = refusalIn(family, withValue('feePpm', -1))
      expect(details).toMatchObject({ field: 'feePpm', got: '-1' })
    }
  })

  it('refuses a pool that is listed twice', () => {
    const error = refusal(({ pools }) => void pools.push({ ...pools[1]! }))
    expect(error?.details).toMatchObject({ pool: market.pools[1]!.id, field: 'id' })
    expect(error?.message).toContain('listed twice')
  })

  it('refuses a pair that does not say whether it is stable', () => {
    expect(refusalIn('solidly', without('stable'))).toMatchObject({ field: 'stable' })
    expect(refusalIn('camelot', without('stableSwap'))).toMatchObject({ field: 'stableSwap' })
  })

  it.each(Object.getOwnPropertyNames(Object.prototype))('refuses a pool of family %s', (family) => {
    const error = refusal(({ pools }) => put(pools[3]!, 'family', family))
    expect(error?.details).toMatchObject({ pool: market.pools[3]!.id, field: 'family' })
  })

  it('refuses a field that no pool of the family has, because it may be a misspelt one', () => {
    const change = (pool: Json) => {
      pool['dynamicFees'] = pool['dynamicFee']
      delete pool['dynamicFee']
      delete pool['quotedAt']
    }
    const details = refusalIn('uniswapV3', change, 'dynamicFee')
    expect(details).toMatchObject({ field: 'dynamicFees', got: 'an unknown field' })
  })

  it('refuses a pool whose dynamic fee was lost', () => {
    const details = refusalIn('uniswapV3', without('dynamicFee'), 'dynamicFee')
    expect(details).toMatchObject({ field: 'quotedAt' })
  })

  it('refuses a list of ticks that lost an entry, and a tick that is not that of the price', () => {
    const lost = (pool: Json) => void (pool['ticks'] as unknown[]).pop()
    const moved = (pool: Json) => put(pool, 'tick', (pool['tick'] as number) + 1)
    for (const family of ['uniswapV3', 'uniswapV4', 'algebraV1', 'algebraIntegral'] as const) {
      expect(refusalIn(family, lost)?.['field']).toMatch(/^ticks/)
      expect(refusalIn(family, moved)).toMatchObject({ field: 'tick' })
    }
  })

  it('refuses a bin with the token that the price has passed, which paid more back than it took', () => {
    const change = (pool: Json) => {
      const bins = pool['bins'] as { id: number; reserves: string[] }[]
      bins.find(({ id }) => id !== pool['activeId'])!.reserves.reverse()
    }
    expect(refusalIn('liquidityBook', change)?.['field']).toMatch(/^bins\[\d+\]\.reserves\[[01]\]$/)
  })

  it('refuses bins in another order', () => {
    const change = (pool: Json) => void (pool['bins'] as unknown[]).reverse()
    expect(refusalIn('liquidityBook', change)?.['field']).toMatch(/^bins\[\d+\]\.id$/)
  })

  // Withdrawals leave wei behind. A pool that holds more than those pays it to the next swap.
  it.each([
    [0n, undefined],
    [8_000n, undefined],
    [-8_000n, undefined],
    [20_000n, 'D'],
    [-20_000n, 'D'],
    [4n * 10n ** 12n, 'D'],
  ])(
    'accepts a CryptoSwap pool that holds %s wei more than its D says only if they are few',
    (more, field) => {
      const E18 = 10n ** 18n
      const tokens = [TOKEN_A, TOKEN_B] as const
      const pool: Pool = {
        ...{ family: 'curveCrypto', id: toHex(0xabc, 20), venue: 'test', version: '2.0.0', tokens },
        ...{ balances: [10n ** 24n, 5n * 10n ** 11n + more], precisions: [1n, 10n ** 12n] },
        ...{ priceScales: [2n * E18], D: 2n * 10n ** 24n, A: 20_000_000n, gamma: 10n ** 15n },
        ...{ midFee: 3_000_000n, outFee: 30_000_000n, feeGamma: 5n * 10n ** 15n },
        ...{ virtualPrice: E18, totalSupply: 707_106_781_186_547_524_400_844n },
        ...{ xcpProfit: E18, allowedExtraProfit: 10n ** 17n },
      }
      const error = refusalOf(stringifySnapshot({ ...market, pools: [pool] }))
      expect(error?.details['field']).toBe(field)
    },
  )

  it('refuses tokens in another order than the pool has them', () => {
    for (const family of ['uniswapV2', 'uniswapV3', 'balancerV3'] as const) {
      const swapped = (pool: Json) => void (pool['tokens'] as string[]).reverse()
      expect(refusalIn(family, swapped)?.['field']).toMatch(/^tokens/)
    }
  })

  it('refuses an ellipse whose derived parameters do not follow from the others', () => {
    const change = (pool: Json) => {
      const form = pool['form'] as Json
      form['u'] = `${BigInt(form['u'] as string) + 10n ** 30n}`
    }
    expect(refusalIn('balancerV3', change, 'eclp')).toMatchObject({ field: 'form.u' })
  })

  it.each([
    ['chainId', (file: File) => put(file, 'chainId', '999')],
    ['wrappedNative', (file: File) => put(file, 'wrappedNative', '0x11')],
    ['block.gasLimit', (file: File) => void delete file.block['gasLimit']],
    ['block.gasLimit', (file: File) => put(file.block, 'gasLimit', '0')],
    ['block.timestamp', (file: File) => put(file.block, 'timestamp', 1.5)],
    ['tokens[2].decimals', (file: File) => put(file.tokens[2]!, 'decimals', -6)],
    ['tokens[1].address', (file: File) => void file.tokens.splice(1, 0, file.tokens[0]!)],
    ['pools', (file: File) => put(file, 'pools', {})],
    ['signature', (file: File) => put(file, 'signature', '0x00')],
  ])('names the field of a snapshot that is wrong: %s', (field, change) => {
    expect(refusal(change)?.details).toMatchObject({ field })
  })

  it('names the pool that is of another time, or wraps another token', () => {
    const later = refusal(({ block }) => put(block, 'timestamp', '1800000001'))
    expect(later?.details).toMatchObject({ field: 'quotedAt' })
    const other = refusal((file) => put(file, 'wrappedNative', TOKEN_A))
    expect(other?.details).toMatchObject({ pool: market.wrappedNative, family: 'wrap' })
  })

  it('refuses text that is not JSON, and another version', () => {
    expect(refusalOf(text.slice(0, -5))?.message).toBe('the text is not JSON')
    expect(refusalOf('[]')?.message).toBe('a snapshot is a JSON object')
    expect(refusalOf('{"version":2}')?.details).toEqual({ got: '2', wanted: 1 })
  })

  it('reports how many pools are checked, up to all of them', () => {
    const seen: (readonly [number, number])[] = []
    parseSnapshot(text, { onPools: (done, all) => void seen.push([done, all]) })
    const all = market.pools.length
    expect(seen.at(-1)).toEqual([all, all])
    expect(seen.map(([done]) => done)).toEqual([...seen.keys()].map((i) => i + 1))
  })
})

describe('every family', () => {
  const kinds = Object.entries(poolsOfFamily) as [FamilyName, (typeof poolsOfFamily)[FamilyName]][]

  it.each(kinds)(
    'refuses each required field that is missing, null or a list: %s',
    (name, forms) => {
      for (const form of Object.values(forms)) {
        const [pool] = fc.sample(form, { numRuns: 1, seed: 3 }) as [Pool]
        const { fields } = families[name].shape as Extract<
          (typeof families)[FamilyName]['shape'],
          { kind: 'record' }
        >
        for (const { name: field, isOptional } of fields) {
          const refused = (value: unknown) => {
            const id = market.pools.find((one) => one.family === name)!.id
            return refusal(({ pools }) => {
              const target = pools.find((one) => one.id === id)!
              if (value === undefined) delete target[field]
              else target[field] = value
            })
          }
          expect(refused(null)?.details['got'], field).toBeDefined()
          if (!isOptional) expect(refused(undefined)?.details['field'], field).toBe(field)
        }
        expect(pool.family).toBe(name)
      }
    },
  )
})

describe('the JSON Schema of snapshots', () => {
  it('describes every family', () => {
    const { $defs } = snapshotSchema() as { $defs: Json }
    expect(Object.keys($defs).sort()).toEqual(Object.keys(families).sort())
  })

  it('is the file in docs', async () => {
    const file = fileURLToPath(new URL('../../../docs/snapshot.schema.json', import.meta.url))
    await expect(`${JSON.stringify(snapshotSchema(), null, 2)}\n`).toMatchFileSnapshot(file)
  })
})

it('an accepted market can be quoted', () => {
  const graph = buildGraph(parseSnapshot(text))
  const order = { tokenIn: TOKEN_A, tokenOut: TOKEN_B, amountIn: 10n ** 12n }
  expect(quote(graph, order, { objective: 'gross' }).amountOut).toBeGreaterThan(0n)
})
