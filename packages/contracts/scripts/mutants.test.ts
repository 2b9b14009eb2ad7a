import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Mutant = readonly [file: string, before: string, after: string]
type Lists = {
  readonly readMutants: () => Promise<readonly Mutant[]>
  readonly mutate: (source: string, mutant: Mutant) => string
}

type Verdicts = {
  readonly nameOf: (mutant: Mutant) => string
  readonly readVerdicts: () => ReadonlyMap<string, { readonly end: string; readonly by: string }>
}

const { readMutants, mutate }: Lists = await import(
  new URL('readMutants.mjs', import.meta.url).href
)
const { nameOf, readVerdicts }: Verdicts = await import(
  new URL('verdicts.mjs', import.meta.url).href
)

it('each mutant changes exactly one place of its contract', async () => {
  const mutants = await readMutants()
  const faults = mutants.flatMap((mutant) => {
    const source = readFileSync(new URL(`../${mutant[0]}`, import.meta.url), 'utf8')
    try {
      return mutate(source, mutant) === source ? [`${mutant[0]}: ${mutant[1]} changes nothing`] : []
    } catch (error) {
      return [(error as Error).message]
    }
  })
  expect(faults).toEqual([])
  expect(mutants.length).toBeGreaterThan(140)
  expect(new Set(mutants.map((mutant) => JSON.stringify(mutant))).size).toBe(mutants.length)
})

it('each mutant was caught by a test that the table of verdicts names', async () => {
  const verdicts = readVerdicts()
  const mutants = await readMutants()
  const open = mutants.map(nameOf).filter((name) => verdicts.get(name)?.end !== 'caught')
  expect(open).toEqual([])
  expect([...verdicts.values()].filter(({ by }) => !/^\w+$/.test(by))).toEqual([])
  expect(verdicts.size).toBe(mutants.length)
})
