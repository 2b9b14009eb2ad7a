/** The report of `pnpm bench feed` as Markdown and JSON. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FeedFigures, READERS } from './measure.js'

const FOLDER = fileURLToPath(new URL('../../results', import.meta.url))

/** Writes `results.md` and `results.json`; returns their folder. */
export async function writeFeedReport(
  name: string,
  facts: Readonly<Record<string, string>>,
  figures: readonly FeedFigures[],
): Promise<string> {
  const folder = join(FOLDER, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'results.json'), `${JSON.stringify({ facts, figures }, null, 2)}\n`)
  await writeFile(join(folder, 'results.md'), markdownOf(facts, figures))
  return folder
}

const ms = (value: number) => (value < 100 ? value.toFixed(1) : value.toFixed(0))
const seconds = (value: number) => (value / 1_000).toFixed(2)
const kb = (value: number) => (value / 1_000).toFixed(1)

/** The figures as lines of two tables. */
function markdownOf(
  facts: Readonly<Record<string, string>>,
  figures: readonly FeedFigures[],
): string {
  const times = figures.map(
    ({ pools, inProcess, throughRedis, addedP99Ms, publishWholeMs, takeUpMs }) =>
      `| ${pools} | ${ms(inProcess.p50Ms)} / ${ms(inProcess.p99Ms)} | ${ms(throughRedis.p50Ms)} / ${ms(throughRedis.p99Ms)} | ${ms(addedP99Ms)} | ${seconds(publishWholeMs)} | ${seconds(takeUpMs)} |`,
  )
  const sizes = figures.map(
    ({ pools, published, read, redisMb, streamKbPerBlock, readerMb }) =>
      `| ${pools} | ${kb(published.bytes)} / ${published.commands.toFixed(1)} | ${kb(read.bytes)} / ${read.commands.toFixed(1)} | ${redisMb.toFixed(0)} | ${streamKbPerBlock.toFixed(1)} | ${readerMb.toFixed(0)} |`,
  )
  return `# Carrying a market through Redis

${Object.entries(facts)
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

Generated markets; each block moves 40 pools. A publisher, Redis and ${READERS} readers, each a process. The time of a
block ends with the first certified quote on it: in the process that has the block, or at the slowest reader. The first
tenth of the blocks, in which each process compiles what it runs, is not counted.

| pools | in process, p50 / p99 ms | through Redis, p50 / p99 ms | added to p99, ms | publish all, s | take-up, s |
| --- | --- | --- | --- | --- | --- |
${times.join('\n')}

| pools | published per block, kB / commands | read per block, kB / commands | Redis, MB | stream per block, kB | a reader, MB |
| --- | --- | --- | --- | --- | --- |
${sizes.join('\n')}
`
}
