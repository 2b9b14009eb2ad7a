import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Attack, type Outcome, startAttack } from './attack.js'
import { behaviours } from './baits.js'

const every = behaviours.map((_, i) => i)

/** Two tokens at once, one of each direction. */
const pairs = every.filter((i) => i % 2 === 0).map((i) => [i, i + 1])

let attack: Attack
beforeAll(async () => {
  attack = await startAttack(createRandom(1))
})
afterAll(() => attack?.stop())

describe('an attacker with ten tokens and $200 for each', () => {
  it('reaches no everyday order, because its tokens are on no list', async () => {
    const { asked, passed, baited, failures } = await attack.run([every], [])
    expect(baited.size).toBe(0)
    expect([passed, failures]).toEqual([asked, []])
  })

  it('whose tokens an operator has listed breaks orders of the first blocks only', async () => {
    const runs: Outcome[] = []
    for (const pair of pairs) runs.push(await attack.run([pair], pair))
    expect(runs.flatMap(({ baited }) => [...baited])).toEqual(every)
    const [asked, passed] = [sum(runs.map((run) => run.asked)), sum(runs.map((run) => run.passed))]
    const failures = runs.flatMap((run) => run.failures)
    expect(passed / asked, failures.join('\n')).toBeGreaterThanOrEqual(0.99)
  })

  it('whom an operator has let in with everybody breaks orders of the first blocks only, with all at once', async () => {
    const { asked, passed, baited, failures } = await attack.run([every], 'all')
    expect(baited.size).toBeGreaterThan(0)
    expect(passed / asked, failures.join('\n')).toBeGreaterThanOrEqual(0.99)
  })
})

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
