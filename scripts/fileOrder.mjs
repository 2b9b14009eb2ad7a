/**
 * In which order Vitest starts the files of a run: the dearest first, so that none is left alone at the end, and those
 * in a browser's environment last, because a worker that changes its environment ends and loads everything again.
 */
import { readFileSync } from 'node:fs'
import { BaseSequencer } from 'vitest/node'

/** By seconds of a whole run, the longest first. Other files follow by size. */
const DEAREST = [
  'attackers.e2e.ts',
  'kept.e2e.ts',
  'lyingReceipts.e2e.ts',
  'alerts.e2e.ts',
  'hindsight.e2e.ts',
  'quoteEqualsExecution.e2e.ts',
  'pageFaults.e2e.ts',
  'readme.e2e.ts',
  'release.e2e.ts',
  'outcomes.e2e.ts',
  'demo.e2e.ts',
  'page.e2e.ts',
  'venues.e2e.ts',
  'worstDay.e2e.ts',
  'roles.e2e.ts',
  'oneProcess.e2e.ts',
  'differential.e2e.ts',
  'searchThreads.e2e.ts',
  'followedMarket.e2e.ts',
]

/** Smaller is earlier. */
function rankOf(path) {
  const dearest = DEAREST.findIndex((name) => path.endsWith(`/${name}`))
  if (dearest >= 0) return dearest
  if (path.endsWith('.e2e.ts')) return DEAREST.length
  return DEAREST.length + (/^\/\/ @vitest-environment /.test(readFileSync(path, 'utf8')) ? 2 : 1)
}

export class FileOrder extends BaseSequencer {
  async sort(files) {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rankOf(file.moduleId) }))
    return ranked.sort((a, b) => a.rank - b.rank).map(({ file }) => file)
  }
}
