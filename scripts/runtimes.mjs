/**
 * `node scripts/runtimes.mjs [--markets 8]`: packs core as a release does, installs it unchanged beside
 * five runtimes, and asks each for the same quotes: on the recorded market, and on made ones with a pool
 * of every form of every family at extreme states. Prints a row for each runtime. Needs a build, Linux
 * and the registry. A page and a worker of a browser are asked by apps/page/src/page.e2e.ts.
 *
 * The language leaves Math.exp, Math.log and their like to each engine, so the last digits of prices and
 * bounds may differ, and with them the route where two are nearly worth the same. It fails if a byte of
 * calldata differs on the recorded market, or if anywhere an answer is worth more than the bound of
 * another runtime: a bound is a proof in every runtime.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { gapBpsOf, inputGapBpsOf, parse } from '../packages/core/dist/index.js'
import { pack, publicPackages, root } from './pack.mjs'
import { RUNTIMES } from './runtimes/list.mjs'

/** Orders go between this many tokens of each market. */
const WIDTH = 6

const { values } = parseArgs({ options: { markets: { type: 'string', default: '8' } } })
const folder = mkdtempSync(join(tmpdir(), 'braid-runtimes-'))

function install() {
  const packages = publicPackages().filter(({ folder: from }) => from === 'packages/core')
  const [core] = Object.entries(pack(packages, folder)).map(([name, file]) => [
    name,
    `file:${file}`,
  ])
  const runtimes = RUNTIMES.map(({ from, run }) => [run[0].split('/')[0], from])
  const dependencies = Object.fromEntries([core, ...runtimes])
  const manifest = { private: true, type: 'module', dependencies }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const options = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', options, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  for (const name of ['answers.mjs', 'run.mjs']) {
    copyFileSync(join(root, 'scripts/runtimes', name), join(folder, name))
  }
}

/** Markets with a pool of every form of every family, as text: drawn as the tests of core draw them. */
async function drawMarkets(count) {
  const entry = 'draw'
  const testing = join(root, 'packages/core/src/testing/everyFamily.ts')
  const fastCheck = import.meta.resolve('fast-check')
  const code = `
    import fc from 'fast-check'
    import { stringifySnapshot } from ${JSON.stringify(join(root, 'packages/core/src/index.ts'))}
    import { anyMarketOfEveryFamily } from ${JSON.stringify(testing)}
    const drawn = (numRuns) => fc.sample(anyMarketOfEveryFamily, { numRuns, seed: 1 })
    export const draw = (count) => drawn(count).map(stringifySnapshot)`
  const bundle = await rolldown({
    ...{ input: entry, platform: 'node', logLevel: 'warn' },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [
      {
        name: 'draw',
        resolveId: (id) => {
          if (id === entry) return id
          return id === 'fast-check' ? { id: fastCheck, external: true } : null
        },
        load: (id) => (id === entry ? code : null),
      },
    ],
  })
  const file = join(folder, 'draw.mjs')
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  const { draw } = await import(pathToFileURL(file))
  return draw(count)
}

/** The answers of a runtime, with the exact version that gave them and the seconds it took. */
function ask({ name, run: [program, ...words] }) {
  const at = join(folder, 'node_modules', program)
  const version = /\d+\.\d+\.\d+/.exec(execFileSync(at, ['--version'], { encoding: 'utf8' }))[0]
  const start = performance.now()
  execFileSync(at, [...words, 'run.mjs', 'answers.json'], { cwd: folder, stdio: 'inherit' })
  const seconds = (performance.now() - start) / 1_000
  return {
    ...{ name, version, seconds },
    answers: JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')),
  }
}

/** Whether an answer is worth more than the bound of another answer to the same order. */
function isAbove(answer, other) {
  const [own, { bound, inputBound }] = [parse(answer.quote), parse(other.quote)]
  if (own.code !== undefined) return false
  return (
    gapBpsOf({ ...own, bound }) === null ||
    inputGapBpsOf({ ...own.order, gas: own.gas, inputBound }) === null
  )
}

/** Compares a runtime with the first. Gives the cells of its row, and says on stderr what is wrong. */
function compare({ answers }, { answers: first }) {
  if (answers.length !== first.length) throw new Error(`${answers.length} answers`)
  const pairs = answers.map((answer, i) => [answer, first[i]])
  const others = pairs.filter(([answer, one]) => answer.call !== one.call)
  const digits = pairs.filter(([answer, one]) => answer.quote !== one.quote)
  const recorded = others.filter(([{ market }]) => market === 0)
  const above = digits.filter(([answer, one]) => isAbove(answer, one) || isAbove(one, answer))
  for (const [{ asked, call }, one] of recorded) console.error(`${asked}: ${call}, not ${one.call}`)
  for (const [{ market, asked }] of above)
    console.error(`market ${market}, ${asked}: above a bound`)
  return { recorded, others, digits, above }
}

try {
  install()
  const recorded = readFileSync(join(root, 'packages/vectors/snapshots/999-79.json'), 'utf8')
  const markets = [recorded, ...(await drawMarkets(Number(values.markets)))]
  writeFileSync(join(folder, 'markets.json'), JSON.stringify({ markets, width: WIDTH }))
  const asked = RUNTIMES.map(ask)
  const [first] = asked
  const filled = first.answers.filter(({ call }) => call.includes(' 0x'))
  const filledRecorded = filled.filter(({ market }) => market === 0).length
  console.log(
    `${first.answers.length} orders, ${filled.length} filled, ${filledRecorded} recorded\n`,
  )
  console.log(
    '| runtime | version | other bytes, recorded | other route, made | other digits | time |',
  )
  console.log(
    '| ------- | ------- | --------------------: | ----------------: | -----------: | ---: |',
  )
  let wrong = filledRecorded > 0 ? 0 : 1
  for (const one of asked) {
    const { recorded, others, digits, above } = compare(one, first)
    wrong += recorded.length + above.length
    const counts = [recorded.length, others.length - recorded.length, digits.length]
    const cells = [one.name, one.version, ...counts, `${one.seconds.toFixed(1)} s`]
    console.log(`| ${cells.join(' | ')} |`)
  }
  process.exitCode = wrong === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
