import { mkdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type Measured, measureRow } from './measureRow.js'
import { openNodesWorld } from './nodesWorld.js'
import { MANY_POOLS, type Row, rowsFor } from './rows.js'
import { notesOf, tableOf } from './table.js'

// BRAID_NODES_ROWS: names of rows, with spaces between; all by default.
const names = (process.env['BRAID_NODES_ROWS'] ?? '').split(' ').filter((name) => name !== '')
const seconds = Number(process.env['BRAID_NODES_SECONDS'] ?? 600)
const parallel = Number(process.env['BRAID_NODES_PARALLEL'] ?? 3)
const logFolder = process.env['BRAID_NODES_LOGS']
const all = rowsFor(seconds)
const unknown = names.filter((name) => !all.some((row) => row.name === name))
if (unknown.length > 0) {
  throw new Error(`${unknown}: wanted ${all.map(({ name }) => name).join(', ')}`)
}
const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
/** Two starts and the measuring. */
const ROW_MS = (seconds + 600) * 1_000

it(
  `gives exact answers behind every kind of node, ${seconds} s each`,
  async () => {
    if (logFolder) await mkdir(logFolder, { recursive: true })
    const measured = [...(await measureIn(0)), ...(await measureIn(MANY_POOLS))]
    console.log(tableOf(measured))
    expect(measured.filter(isWrong).map(notesOf)).toEqual([])
    expect(measured.filter(isSilent).map(notesOf)).toEqual([])
  },
  20 * ROW_MS,
)

/** Measures the chosen rows of a world of so many pools; with 0, of the market's own. */
async function measureIn(pools: number): Promise<readonly Measured[]> {
  const rows = chosen.filter((row) => (row.pools ?? 0) === pools)
  if (rows.length === 0) return []
  const world = await openNodesWorld(pools)
  try {
    return await inLanes(rows, async (row) => {
      const one = await measureRow(world, row, { seconds, ...(logFolder && { logFolder }) })
      console.log(`${tableOf([one])}\n${notesOf(one)}\n`)
      return one
    })
  } finally {
    await world.stop()
  }
}

/** Runs rows, so many at a time, and returns the results in their order. */
async function inLanes(
  rows: readonly Row[],
  measure: (row: Row) => Promise<Measured>,
): Promise<readonly Measured[]> {
  const results: Measured[] = []
  const waiting = rows.map((row, i) => ({ row, i }))
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results[next.i] = await measure(next.row)
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
  return results
}

/** Wrong logs that no header gives away make wrong answers, but none that stay. */
function isWrong({ row, wrong, lastWrongS = 0 }: Measured): boolean {
  if (row.wrongLogsUntilS === undefined) return wrong > 0
  return lastWrongS > row.wrongLogsUntilS + 10
}

/** A row that never serves must say why. */
function isSilent({ readyS, reason }: Measured): boolean {
  return readyS === undefined && reason === undefined
}
