import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hyperEvm, judges, judgesOf } from '@braid-swap/chain'
import { families } from '@braid-swap/core/families'
import { listDeployedRows, readRecordedVector } from '@braid-swap/vectors'
import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { describe, expect, it } from 'vitest'

const docs = readFileSync(resolve(import.meta.dirname, '../../../../docs/venues.md'), 'utf8')

/** The judges as the table of the guide has them, with what each compared. */
const table = docs
  .slice(docs.indexOf('## What judges a family'))
  .split('\n')
  .filter((line) => /^\| `/.test(line))
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const [, what = '', kind = '', source = '', rows = '', swaps = ''] = cells
    const [family, ...traits] = [...what.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
    return { family, traits, kind, source, rows: Number(rows), swaps: Number(swaps) }
  })

describe('the judges of families', () => {
  it('are those of the table in docs/venues.md', () => {
    const told = judges.map(({ of = {}, ...judge }) => ({ ...judge, traits: Object.values(of) }))
    expect(table.map(({ rows: _, swaps: __, ...judge }) => judge)).toEqual(told)
  })

  it('are there for every family and every venue of HyperEVM', () => {
    const { wrap: _, ...loaded } = families
    for (const family of Object.keys(loaded) as (keyof typeof loaded)[]) {
      expect(judgesOf({ family }).length).toBeGreaterThan(0)
    }
    const judgedByDoubles = hyperEvm.venues.filter((venue) =>
      judgesOf(venue).every(({ kind }) => kind === 'double'),
    )
    expect(judgedByDoubles.map(({ id }) => id)).toEqual(['kinetiq-khype'])
    const sourceOf = (id: string) => judgesOf(hyperEvm.venues.find((venue) => venue.id === id)!)
    expect(sourceOf('ramses-v3').map(({ source }) => source)).toEqual([
      'code-423n4/2024-10-ramses-exchange@4a40eba',
    ])
    expect(sourceOf('prjx').map(({ kind }) => kind)).toEqual(['bytecode'])
    expect(sourceOf('felix-usdc').map(({ kind }) => kind)).toEqual(['rows'])
    expect(sourceOf('liquidcore').map(({ kind }) => kind)).toEqual(['records'])
  })

  it('are named by each file of rows, by its family and its repository', () => {
    for (const name of listDeployedRows()) {
      expect(judgesOfFile(JSON.parse(readRecordedVector(name))), name).toHaveLength(1)
    }
  })
})

/** A file of rows. */
type Rows = {
  readonly family: string
  readonly source: { readonly repository: string; readonly commit: string }
  readonly pools: readonly {
    readonly rows: readonly unknown[]
    readonly swaps: readonly unknown[]
  }[]
}

/** The judges in the table that a file of rows belongs to. */
const judgesOfFile = ({ family, source: { repository, commit } }: Rows) =>
  table.filter(
    (judge) =>
      judge.family === family && judge.source.includes(`${repository}@${commit.slice(0, 7)}`),
  )

describeReferenceVectors('the rows that judge a family', (readVector) => {
  it('are as many as the table says', () => {
    const files = listDeployedRows().map((name) => readVector(name) as Rows)
    for (const judge of table.filter(({ kind }) => kind === 'rows')) {
      const pools = files
        .filter((file) => judgesOfFile(file).includes(judge))
        .flatMap((one) => one.pools)
      const count = (of: 'rows' | 'swaps') => pools.reduce((sum, pool) => sum + pool[of].length, 0)
      expect([judge.source, count('rows'), count('swaps')]).toEqual([
        judge.source,
        judge.rows,
        judge.swaps,
      ])
    }
  })
})
