/**
 * `node scripts/recordDay.mjs FOLDER`: a day of the local chain as 24 snapshots, one an hour, which the
 * pages in docs/examples read. A trader swaps at random all day; every fourth hour an arbitrageur brings
 * the prices together. The chain, its trades and its clock follow from a seed, so a second run writes the
 * same files as long as the contracts are the same. Needs a build.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from '../packages/core/dist/index.js'
import { startDevnet } from '../packages/devnet/dist/index.js'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node scripts/recordDay.mjs FOLDER')
  process.exit(2)
}

/** The first midnight after the local chain's block 0. */
const MIDNIGHT = 1_700_006_400n
const [HOURS, BLOCKS_AN_HOUR, SWAPS_A_BLOCK] = [24, 4, 10]

const program = resolve(import.meta.dirname, '../apps/cli/bin/braid.js')
// Not in one go: the local chain answers through this process.
const braid = async (...words) => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words])
  process.stdout.write(stdout)
}

const scratch = mkdtempSync(join(tmpdir(), 'braid-day-'))
const devnet = await startDevnet({ seed: 24 })
try {
  const venues = join(scratch, 'venues.json')
  writeFileSync(venues, stringify(devnet.venues))
  for (let hour = 0; hour < HOURS; hour++) {
    for (let block = 1; block <= BLOCKS_AN_HOUR; block++) {
      await devnet.trade(SWAPS_A_BLOCK)
      if (hour % 4 === 3) await devnet.arbitrage()
      await devnet.mine()
    }
    const timestamp = MIDNIGHT + BigInt(hour) * 3_600n
    await devnet.client.setNextBlockTimestamp({ timestamp })
    await devnet.mine()
    const out = join(folder, `${String(hour).padStart(2, '0')}.json.gz`)
    await braid('snapshot', '--rpc', devnet.rpcUrl, '--venues', venues, '--out', out)
  }
} finally {
  await devnet.stop()
  rmSync(scratch, { recursive: true })
}
