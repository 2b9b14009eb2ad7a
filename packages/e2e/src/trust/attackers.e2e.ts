import { expect, it } from 'vitest'
import { attackers } from './attackers.js'
import { claimants } from './claimants.js'
import { flickers } from './flickers.js'
import { play, type Row } from './playAttacker.js'
import { strangers } from './strangers.js'
import { watchers } from './watchers.js'

/** Dollars below which nothing may happen, and the blocks, one a second, that an order may pay less for. */
const [RICH, MINUTE] = [1_000, 60]

const rows: Row[] = []

it.each([...attackers, ...claimants, ...strangers, ...flickers, ...watchers])(
  '$name costs no everyday order anything',
  async (attacker) => {
    const row = await play(attacker)
    rows.push(row)
    expect(row.dollars).toBeLessThan(RICH)
    // Its own swaps fail, and nobody else's.
    expect(row.reverted > 0).toBe(row.requests > 0)
    const [orders, blocks] = attacker.mayRefuse ?? [0, MINUTE]
    expect(row.refused).toBeLessThanOrEqual(orders)
    expect(row.blocks, JSON.stringify(row)).toBeLessThanOrEqual(row.refused > 0 ? blocks : MINUTE)
  },
)

it('tells what each attacker spent, and what it came to', () => {
  const table = rows.map(({ name, dollars, worstBp, ...row }) => ({
    ...{ name, dollars: dollars.toFixed(2), ...row, worstBp: worstBp.toFixed(1) },
  }))
  console.table(table)
})
