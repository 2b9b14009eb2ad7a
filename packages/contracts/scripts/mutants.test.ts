import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Mutant = readonly [file: string, before: string, after: string]
type Lists = {
  readonly readMutants: () => Promise<readonly Mutant[]>
  readonly mutate: (source: string, mutant: Mutant) => string
}

const { readMutants, mutate }: Lists = await import(
  new URL('readMutants.mjs', import.meta.url).href
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
