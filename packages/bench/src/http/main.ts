// The command `pnpm bench http`.

import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { writeHttpReport } from './report.js'
import { measureHttp } from './run.js'

/** Measures quotes over HTTP and writes the report; about five minutes, or one if it is quick. */
export async function runHttp({
  isQuick,
  seed,
}: {
  readonly isQuick: boolean
  readonly seed: number
}): Promise<void> {
  const figures = await measureHttp({
    seconds: isQuick ? 2 : 10,
    connections: isQuick ? [1, 16] : [1, 4, 16, 64, 256],
    seed,
    log: (line) => void process.stderr.write(`${line}\n`),
  })
  const [cpu] = cpus()
  const facts = {
    command: ['pnpm bench', ...process.argv.slice(2)].join(' '),
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.versions.node,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString(),
  }
  console.log(
    `written to ${await writeHttpReport(isQuick ? 'http-quick' : 'http', facts, figures)}`,
  )
}
