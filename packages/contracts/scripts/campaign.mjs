/**
 * Stateful fuzzing at length, in rounds with one named seed each, so that a round can be repeated.
 * A round is 204,800 calls of Stateful and 512,000 of Bytes. At the first broken promise it prints the
 * sequence and fails.
 *
 *   node scripts/campaign.mjs 1 14 FILE    rounds 1 to 14; appends a line for each suite of a round to FILE
 *   node scripts/campaign.mjs FILE         the tables of what FILE records
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const DEPTH = 512
const SUITES = { Stateful: 400, Bytes: 1_000 }
const SEED = 0x62_72_61_69_64_00n
/** The hops that each run performed, written by `Market.report`. */
const COUNTS = 'cache/counts.txt'

/** Runs one suite with one seed: its calls by action, and its hops by opcode, honest and hostile. */
function runSuite(suite, runs, seed) {
  const words = [
    'test',
    '--match-path',
    `test/invariants/${suite}.t.sol`,
    '--match-test',
    'invariant_',
  ]
  const env = {
    ...process.env,
    FOUNDRY_PROFILE: 'full',
    FOUNDRY_FUZZ_SEED: seed,
    FOUNDRY_INVARIANT_RUNS: String(runs),
    FOUNDRY_INVARIANT_DEPTH: String(DEPTH),
    INVARIANT_COUNTS: COUNTS,
  }
  rmSync(new URL(`../${COUNTS}`, import.meta.url), { force: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/forge.mjs', ...words], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (status !== 0) throw new Error(`${suite} ${seed}\n${stdout}${stderr}`)
  const rows = stdout.matchAll(/\| *\w+ *\| (\w+) *\| (\d+) *\| (\d+) *\| \d+ *\|/g)
  const calls = Object.fromEntries(
    [...rows].map(([, action, made, reverts]) => [action, made - reverts]),
  )
  const lines = readFileSync(new URL(`../${COUNTS}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  // Foundry ends the last run twice.
  return { suite, seed, calls, hops: sumHops(lines.slice(0, runs)) }
}

/** Adds up lines of `opcode:honest:hostile`. */
function sumHops(lines) {
  const sums = {}
  for (const [, opcode, honest, hostile] of lines.join(' ').matchAll(/(\d+):(\d+):(\d+)/g)) {
    sums[opcode] ??= [0, 0]
    sums[opcode][0] += Number(honest)
    sums[opcode][1] += Number(hostile)
  }
  return sums
}

/** The tables of a record: calls by suite and action, hops by suite and opcode. */
function printTables(file) {
  const rounds = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const suite of Object.keys(SUITES)) {
    const own = rounds.filter((round) => round.suite === suite)
    const calls = {}
    const hops = {}
    for (const round of own) {
      for (const [action, count] of Object.entries(round.calls))
        calls[action] = (calls[action] ?? 0) + count
      for (const [opcode, [honest, hostile]] of Object.entries(round.hops)) {
        hops[opcode] ??= [0, 0]
        hops[opcode][0] += honest
        hops[opcode][1] += hostile
      }
    }
    const total = Object.values(calls).reduce((a, b) => a + b, 0)
    const seeds = own.map(({ seed }) => seed).join(' ')
    console.log(
      `\n${suite}: ${total.toLocaleString('en')} calls, no promise broken; seeds ${seeds}\n`,
    )
    console.log('| action | calls |\n| --- | --: |')
    for (const [action, count] of Object.entries(calls))
      console.log(`| ${action} | ${count.toLocaleString('en')} |`)
    console.log(
      '\n| opcode | hops through honest pools | through the hostile one |\n| --: | --: | --: |',
    )
    for (const [opcode, both] of Object.entries(hops)) {
      console.log(`| ${opcode} | ${both.map((count) => count.toLocaleString('en')).join(' | ')} |`)
    }
  }
}

const words = process.argv.slice(2)
const file = words.at(-1)
if (words.length === 3) {
  for (let round = Number(words[0]); round <= Number(words[1]); round++) {
    for (const [suite, runs] of Object.entries(SUITES)) {
      const seed = `0x${(SEED + BigInt(round)).toString(16)}`
      appendFileSync(file, `${JSON.stringify(runSuite(suite, runs, seed))}\n`)
    }
  }
}
printTables(file)
