import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Attack, startAttack } from './attack.js'
import { behaviours } from './baits.js'

/** Waves of each run, of one to ten tokens. */
const WAVES = 40

const random = createRandom(Number(process.env['BRAID_FUZZ_SEED'] ?? 1))
let attack: Attack
beforeAll(async () => {
  attack = await startAttack(random)
})
afterAll(() => attack?.stop())

it.each([
  ['listed', behaviours.map((_, i) => i)],
  ['let in with everybody', 'all'],
] as const)(
  'tokens in any number, %s, break orders of the first blocks only',
  async (_, opening) => {
    const waves = Array.from({ length: WAVES }, () => {
      const size = 1 + Math.floor(random.next() * behaviours.length)
      const order = behaviours.map((_, i) => [random.next(), i] as const)
      return order.sort(([a], [b]) => a - b).flatMap(([, i], k) => (k < size ? [i] : []))
    })
    const { asked, passed, failures } = await attack.run(waves, opening)
    expect(passed / asked, failures.join('\n')).toBeGreaterThanOrEqual(0.99)
  },
)
