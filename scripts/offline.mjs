/**
 * `node scripts/offline.mjs [--pools 50000]`: packs the command line as a release does, installs it into
 * an empty folder, and runs each command that works on files there without a network (`unshare -n`): on
 * the recorded market, and on a made one with many pools. Prints a table of memory and of processor time,
 * which a busy machine hardly changes, and fails if a command ends otherwise than with 0. Needs a build
 * and Linux; the packages it installs come from the store of pnpm or from the registry.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateSnapshot } from '../packages/bench/dist/markets/generated.js'
import { stringifySnapshot } from '../packages/core/dist/index.js'
import { pack, publicPackages, root } from './pack.mjs'

const { values } = parseArgs({ options: { pools: { type: 'string', default: '50000' } } })
const folder = mkdtempSync(join(tmpdir(), 'braid-offline-'))
const MIB = 2 ** 20

/** Prints a line behind everything else when the process ends: its time in μs and most memory in KiB. */
const REPORT = `process.on('exit',()=>{
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  process.stderr.write('\\n' + (userCPUTime + systemCPUTime) + ' ' + maxRSS)
})`

function install() {
  // Of the programs only braid is packed, because the others take long.
  const packed = publicPackages().filter(({ manifest: { bin, name } }) => !bin || name === 'braid')
  const tarballs = Object.entries(pack(packed, folder))
  const packages = Object.fromEntries(tarballs.map(([name, file]) => [name, `file:${file}`]))
  const manifest = { private: true, dependencies: { braid: packages.braid } }
  const text = JSON.stringify({ ...manifest, pnpm: { overrides: packages } })
  writeFileSync(join(folder, 'package.json'), text)
  execFileSync('pnpm', ['install', '--silent', '--prefer-offline', '--ignore-workspace'], {
    cwd: folder,
    stdio: 'inherit',
  })
}

/** Runs a command without a network; gives its processor time in seconds and its memory in MiB. */
function measure(words) {
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [
      '-rn',
      process.execPath,
      '--import',
      `data:text/javascript,${encodeURIComponent(REPORT)}`,
      join(folder, 'node_modules/braid/bin/braid.js'),
      ...words,
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  const [last] = stderr.split('\n').slice(-1)
  const [microseconds, kib] = last.split(' ').map(Number)
  return { seconds: microseconds / 1e6, mib: kib / 1024, status, stdout, stderr }
}

/** The commands on files, in the order in which they need each other's output. */
function commandsOn({ market, tokens, addresses }, [tokenIn, tokenOut, other] = addresses) {
  const names = tokens === undefined ? [] : ['--tokens', tokens]
  const from = ['--snapshot', market, ...names]
  const ends = ['--in', tokenIn, '--out', tokenOut]
  const order = [...ends, '--amount', '20']
  writeFileSync(
    join(folder, 'orders.csv'),
    `in,out,amount\n${`${tokenIn},${tokenOut},1\n${tokenIn},${other},2\n`.repeat(5)}`,
  )
  const [sold, bought] = addresses
  const wei = { tokenIn: sold, tokenOut: bought, amountIn: `${10n ** 18n}` }
  writeFileSync(join(folder, 'order.json'), JSON.stringify(wei))
  return [
    ['snapshot', 'info', market, ...names],
    ['quote', ...from, ...order],
    ['quote', ...from, ...ends, '--amount-out', '5'],
    ['explain', ...from, ...order],
    ['curve', ...from, ...ends, '--from', '1', '--to', '1000'],
    ['simulate', market, market, ...names, ...order],
    ['compare', ...from, ...order],
    ['compare', ...from, ...order, '--by', 'venue'],
    ['simulate', ...from, '--orders', 'orders.csv'],
    ['replay', '--snapshot', market, ...names, '--order', 'order.json'],
    ['swap', ...from, ...order, '--json'],
    // Of the transaction that the command before it prints.
    (printed) => ['verify', ...from, ...order, '--calldata', JSON.parse(printed).tx.data],
  ]
}

/** Runs all commands, prints a row for each, and returns how many failed. */
function runAll(title, commands) {
  console.log(`\n${title}\n`)
  let failed = 0
  let printed = ''
  for (const command of commands) {
    const words = typeof command === 'function' ? command(printed) : command
    const { seconds, mib, status, stdout, stderr } = measure(words)
    printed = stdout
    const name = words.slice(0, words[0] === 'snapshot' ? 2 : 1).join(' ')
    const option = ['--amount-out', '--by', '--orders'].find((one) => words.includes(one))
    const form = option === undefined ? name : `${name} ${option}`
    console.log(
      `| ${form.padEnd(20)} | ${seconds.toFixed(1).padStart(6)} s | ${mib.toFixed(0).padStart(5)} MiB |`,
    )
    if (status === 0) continue
    failed++
    console.error(`${words.join(' ')}: exit code ${status}\n${stderr.slice(0, 600)}`)
  }
  return failed
}

try {
  install()
  const vectors = join(root, 'packages/vectors')
  const recorded = join(vectors, 'snapshots/999-79.json')
  const made = generateSnapshot(Number(values.pools), 1)
  writeFileSync(join(folder, 'large.json'), stringifySnapshot(made))
  const size = (file) => `${(statSync(file).size / MIB).toFixed(1)} MiB`
  const ends = made.tokens.slice(0, 3).map(({ address }) => address)
  const tokens = join(vectors, 'tokens.json')
  const known = JSON.parse(readFileSync(tokens, 'utf8'))
  const symbols = ['WHYPE', 'USDC', 'UBTC']
  const addresses = symbols.map((symbol) => known.find((token) => token.symbol === symbol).address)
  let failed = runAll(
    `the recorded market, ${size(recorded)}`,
    commandsOn({ market: recorded, tokens, addresses }, symbols),
  )
  failed += runAll(
    `${made.pools.length} pools, ${size(join(folder, 'large.json'))}`,
    commandsOn({ market: 'large.json', addresses: ends }),
  )
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
