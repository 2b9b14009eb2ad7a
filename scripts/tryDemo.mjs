/**
 * `node scripts/tryDemo.mjs`: packs the demo and what it needs as a release does, installs the tarballs in
 * an empty directory, runs `npx @braid-swap/demo` there, and asks it for a quote. Needs a build, the
 * registry, and a minute or two, most of it for npm.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../packages/devnet/dist/node/freePort.js'
import { pack, publicPackages } from './pack.mjs'

const PATIENCE_MS = 180_000
const NATIVE = `0x${'e'.repeat(40)}`

const folder = mkdtempSync(join(tmpdir(), 'braid-demo-'))
const isWindows = process.platform === 'win32'
const tarballs = Object.entries(pack(publicPackages(), folder))
const overrides = Object.fromEntries(tarballs.map(([name, file]) => [name, `file:${file}`]))
const demo = '@braid-swap/demo'
const manifest = { private: true, dependencies: { [demo]: overrides[demo] } }
delete overrides[demo]
writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, overrides }))
execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund'], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: isWindows,
})

const [port, rpcPort] = [await freePort(), await freePort()]
const env = { ...process.env, PORT: `${port}`, RPC_PORT: `${rpcPort}` }
const child = spawn('npx', [demo], { cwd: folder, env, stdio: 'inherit', shell: isWindows })
const ended = once(child, 'exit')
const file = join(folder, '.braid/demo.json')
try {
  const until = performance.now() + PATIENCE_MS
  while (!existsSync(file)) {
    if (child.exitCode !== null || performance.now() > until) throw new Error('it did not start')
    await sleep(200)
  }
  const { apiUrl, apiKey, chainId, tokens } = JSON.parse(readFileSync(file, 'utf8'))
  const usdc = tokens.find(({ symbol }) => symbol === 'USDC').address
  const order = `src=${NATIVE}&dst=${usdc}&amount=${10n ** 18n}`
  const answer = await fetch(`${apiUrl}/swap/v1/${chainId}/quote?${order}`, {
    headers: { apikey: apiKey },
  })
  const { dstAmount } = await answer.json()
  if (!(BigInt(dstAmount) > 0n)) throw new Error(`it quoted ${dstAmount}`)
  console.log(
    `installed ${readdirSync(join(folder, 'node_modules')).length} folders, quoted ${dstAmount}`,
  )
} finally {
  child.kill('SIGTERM')
  await ended
  // npx ends first: the demo stops when it sees that, and may still write its log.
  rmSync(folder, { recursive: true, maxRetries: 50 })
}
