import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { hasReferenceVectors, noReferenceVectors } from '@braid-swap/vectors'
import { type Finding, type Goal, type Lab, pursue } from './goals/goal.js'
import { goals, speedGoals } from './goals/index.js'
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
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
    'search-solves': { type: 'string' },
    against: { type: 'string' },
    'no-peers': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (flags.help) {
  const names = goals.map(({ id, title }) => `${id} ${title}`).join(', ')
  console.log(
    `pnpm bench [speed | quality | http [rates | half | crowd | processes] | feed] [--quick] [--only G1]… [--seed 1] [--search-solves 1200] [--against baseline] [--no-peers]\ngoals: ${names}`,
  )
} else if (positionals[0] === 'feed') {
  const { runFeed } = await import('./feed/main.js')
  await runFeed({ isQuick: flags.quick })
} else if (!hasReferenceVectors()) {
  console.error(noReferenceVectors)
  process.exitCode = 1
} else if (positionals[0] === 'http') {
  const { runHttp } = await import('./http/main.js')
  const start = performance.now()
  await runHttp(positionals[1], {
    ...{ isQuick: flags.quick, seed: Number(flags.seed), against: flags.against },
    factsOf: () => factsOf(start),
  })
} else {
  await run()
}

async function run(): Promise<void> {
  const start = performance.now()
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const wanted = new Set(flags.only.flatMap((list) => list.toUpperCase().split(',')))
  const [part] = positionals
  const inPart = partOf(part)
  const chosen = inPart.filter(({ id }) => wanted.size === 0 || wanted.has(id))
  if (chosen.length === 0) throw new RangeError(`unknown goal: ${[...wanted].join(', ')}`)
  if (!flags['no-peers'] && !arePeersInstalled()) {
    log('installing rival packages, about 400 MB')
    installPeers()
  }
  const name = flags.quick ? 'quick' : wanted.size > 0 ? [...wanted].join('-') : (part ?? 'full')
  const solves = flags['search-solves']
  const bounds = { checked: 0, refused: 0 }
  const lab: Lab = {
    ethereum: loadEthereum(),
    ours: countBounds(braid, bounds),
    bounds,
    isQuick: flags.quick,
    seed: Number(flags.seed),
    hasPeers: !flags['no-peers'],
    ...(solves !== undefined && { searchSolves: Number(solves) }),
    previous: readFigures(flags.against ?? name),
    log,
  }
  const findings: Finding[] = []
  for (const goal of chosen) {
    log(`measuring ${goal.id} ${goal.title}`)
    findings.push(await pursue(goal, lab))
    console.log(toLine(findings.at(-1)!))
  }
  const folder = await writeReport(name, factsOf(start), findings, lab.previous)
  log(`written to ${folder}`)
}

/** The goals of a part: all, those that measure time, or the others. */
function partOf(part: string | undefined): readonly Goal[] {
  if (part === undefined) return goals
  if (part === 'speed') return speedGoals
  if (part === 'quality') return goals.filter((goal) => !speedGoals.includes(goal))
  throw new RangeError(`unknown part ${part}; expected speed or quality`)
}

function factsOf(start: number) {
  return {
    command: ['pnpm bench', ...process.argv.slice(2)].join(' '),
    machine: describeMachine(),
    node: process.versions.node,
    commit: commitOf(),
    date: new Date().toISOString().slice(0, 10),
    seconds: (performance.now() - start) / 1000,
  }
}

function commitOf(): string {
  try {
    const options = {
      ...{ encoding: 'utf8' as const, stdio: ['ignore', 'pipe', 'ignore'] as const },
      // The command may be started from anywhere.
      cwd: import.meta.dirname,
    }
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      ...options,
      stdio: [...options.stdio],
    }).trim()
  } catch {
    return 'unknown commit'
  }
}
