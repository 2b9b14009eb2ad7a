import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { hasReferenceVectors, noReferenceVectors } from '@braid-swap/vectors'
import { type Finding, type Goal, type Lab, pursue } from './goals/goal.js'
import { goals } from './goals/index.js'
import { loadEthereum } from './markets/ethereum.js'
import { arePeersInstalled, installPeers } from './peers/packages.js'
import { describeMachine } from './report/machine.js'
import { toLine } from './report/markdown.js'
import { readFigures, writeReport } from './report/write.js'
import { braid } from './routers/braid.js'
import { countBounds } from './routers/countBounds.js'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (flags.help) {
  const names = goals.map(({ name, question }) => `  ${name.padEnd(14)}${question}`)
  const usage = 'pnpm bench [http | capacity | goal…] [--quick] [--against folder] [--seed 1]'
  console.log([usage, ...names].join('\n'))
} else if (!hasReferenceVectors()) {
  console.error(noReferenceVectors)
  process.exitCode = 1
} else if (positionals[0] === 'http') {
  const { measureHttp } = await import('./http/measure.js')
  await measureHttp({ isQuick: flags.quick, seed: Number(flags.seed) })
} else if (positionals[0] === 'capacity') {
  const { measureCapacity } = await import('./http/capacity.js')
  await measureCapacity({ isQuick: flags.quick, seed: Number(flags.seed), commit: commitOf() })
} else {
  await run(choose(positionals))
}

async function run(chosen: readonly Goal[]): Promise<void> {
  const start = performance.now()
  const log = (line: string) => process.stderr.write(`${line}\n`)
  if (!flags.quick && !arePeersInstalled()) {
    log('installing rival packages, about 400 MB')
    installPeers()
  }
  const bounds = { checked: 0, refused: 0 }
  const lab: Lab = {
    ethereum: loadEthereum(),
    ours: countBounds(braid, bounds),
    bounds,
    isQuick: flags.quick,
    seed: Number(flags.seed),
    hasPeers: arePeersInstalled(),
    log,
  }
  const folder = flags.quick ? 'quick' : chosen === goals ? '.' : positionals.join('-')
  const previous = readFigures(flags.against ?? (flags.quick ? folder : '.'))
  const findings: Finding[] = []
  for (const goal of chosen) {
    log(`measuring ${goal.name}`)
    findings.push(await pursue(goal, lab))
    console.log(toLine(findings.at(-1)!))
  }
  const facts = {
    command: ['pnpm bench', ...process.argv.slice(2)].join(' '),
    machine: describeMachine(),
    node: process.versions.node,
    commit: commitOf(),
    date: new Date().toISOString().slice(0, 10),
    seconds: (performance.now() - start) / 1000,
  }
  log(`written to ${writeReport(folder, facts, findings, previous)}`)
}

/** The named goals; all without names. Throws a RangeError for an unknown name. */
function choose(names: readonly string[]): readonly Goal[] {
  if (names.length === 0) return goals
  return names.map((name) => {
    const goal = goals.find((known) => known.name === name)
    if (goal) return goal
    const known = goals.map((one) => one.name).join(', ')
    throw new RangeError(`unknown goal ${name}; expected ${known}`)
  })
}

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      // The command may be started from anywhere.
      cwd: import.meta.dirname,
    }).trim()
  } catch {
    return 'unknown commit'
  }
}
