import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Trial, Venue } from '@braid-swap/chain'
import { afterAll, expect, it } from 'vitest'
import { readTrials, saveTrials } from './savedTrials.js'

const folder = await mkdtemp(join(tmpdir(), 'braid-trials-'))
afterAll(() => rm(folder, { recursive: true }))
const file = join(folder, 'trials')

const venue = (id: string, feePpm: number): Venue => {
  return { id, family: 'uniswapV2', factory: `0x${'ab'.repeat(20)}`, feePpm, fromBlock: 7n }
}
const trial = (id: string): Trial => {
  return {
    venue: id,
    state: 'quarantined',
    since: 9n,
    agreed: 0,
    misses: 0,
    turn: 4,
    reason: 'less',
  }
}
const [one, two] = [venue('one', 3000), venue('two', 3000)]

it('keeps what a venue has earned when another one is added, removed or corrected', async () => {
  await saveTrials(file, { venues: [one, two], trials: [trial('one'), trial('two')] })
  expect(await readTrials(file, [venue('new', 100), two, venue('one', 2500)])).toEqual([
    trial('two'),
  ])
})

it('has nothing without a file, and from a damaged one', async () => {
  expect(await readTrials(join(folder, 'absent'), [one])).toEqual([])
  await writeFile(file, 'braid trials 1\n[]\nsha256 00\n')
  expect(await readTrials(file, [one])).toEqual([])
})
