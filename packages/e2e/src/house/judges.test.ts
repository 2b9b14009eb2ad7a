import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hyperEvmVenues, type Judge, judges, judgesOf } from '@braid-swap/chain'
import { families } from '@braid-swap/core'
import { listDeployedRows, readRecordedVector } from '@braid-swap/vectors'
import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { describe, expect, it } from 'vitest'

const docs = readFileSync(resolve(import.meta.dirname, '../../../../docs/venues.md'), 'utf8')

/** The cells of a judge in the table of the guide. */
function cellsOf({ family, of, pools, kind, source, rows, swaps }: Judge) {
  const traits = Object.values(of ?? {}).map((value) => `\`${value}\``)
  const what = [`\`${family}\``, ...traits, ...(pools ? [pools] : [])].join(', ')
  const count = (value: number | undefined) => (value === undefined ? '' : `${value}`)
  return [what, kind, source, count(rows), count(swaps)]
}

describe('the judges of families', () => {
  it('are those of the table in docs/venues.md', () => {
    const table = docs.slice(docs.indexOf('## What judges a family'))
    const lines = table.split('\n').filter((line) => /^\| `/.test(line))
    const cells = lines.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    expect(cells).toEqual(judges.map(cellsOf))
  })

  it('are there for every family and every venue of HyperEVM', () => {
    const { wrap: _, ...loaded } = families
    for (const family of Object.keys(loaded) as (keyof typeof loaded)[]) {
      expect(judgesOf({ family }).length).toBeGreaterThan(0)
    }
    const judgedByDoubles = hyperEvmVenues.filter((venue) =>
      judgesOf(venue).every(({ kind }) => kind === 'double'),
    )
    expect(judgedByDoubles.map(({ id }) => id)).toEqual(['kinetiq-khype'])
    const sourceOf = (id: string) => judgesOf(hyperEvmVenues.find((venue) => venue.id === id)!)
    expect(sourceOf('ramses-v3').map(({ files }) => files)).toEqual([['ramses-v3']])
    expect(sourceOf('prjx').map(({ kind }) => kind)).toEqual(['bytecode'])
    expect(sourceOf('felix-usdc').map(({ files }) => files)).toEqual([['metamorpho']])
    expect(sourceOf('liquidcore').map(({ kind }) => kind)).toEqual(['records'])
  })

  it('name each file of rows once, by the repository and the family that the file names', () => {
    const named = judges.flatMap((judge) => (judge.files ?? []).map((name) => ({ judge, name })))
    const files = listDeployedRows()
    expect(named.map(({ name }) => `deployed/${name}.json`).sort()).toEqual(files)
    for (const { judge, name } of named) {
      const file = JSON.parse(readRecordedVector(`deployed/${name}.json`)) as {
        readonly family: string
        readonly source: { readonly repository: string; readonly commit: string }
      }
      expect(file.family).toBe(judge.family)
      const { repository, commit } = file.source
      expect(judge.source).toContain(`${repository}@${commit.slice(0, 7)}`)
    }
  })
})

describeReferenceVectors('the rows that judge a family', (readVector) => {
  type Pools = readonly { readonly rows: readonly unknown[]; readonly swaps: readonly unknown[] }[]

  it('are as many as the table says', () => {
    for (const judge of judges) {
      const files = (judge.files ?? []).map((name) => readVector(`deployed/${name}.json`))
      if (files.length === 0) continue
      const pools = files.flatMap((file) => (file as { readonly pools: Pools }).pools)
      const count = (of: 'rows' | 'swaps') => pools.reduce((sum, pool) => sum + pool[of].length, 0)
      expect([judge.source, count('rows'), count('swaps')]).toEqual([
        judge.source,
        judge.rows,
        judge.swaps,
      ])
    }
  })
})
