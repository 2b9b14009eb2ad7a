// The programs of scripts/programs, as developers outside write them: compiled strictly beside packages as they are
// packed, and run against a demo.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../packages/devnet/dist/node/freePort.js'
import { publicPackages, root } from './pack.mjs'

/** In this order a reader meets them; each is said in its first lines. */
const PROGRAMS = ['families', 'venue', 'bot', 'verify', 'swap']
/** The options for the one that draws. */
const SITE = 'tsconfig.site.json'
/** What the programs import beside the packages. */
export const BESIDE = [
  ...['viem', 'wagmi', '@tanstack/react-query', 'react', 'react-dom'],
  ...['@types/react', '@types/react-dom', '@types/node'],
]
/** The demo starts a chain, seeds its market and starts the API: on a busy machine that takes a while. */
const PATIENCE_MS = 300_000

/** Unpacks tarballs into a folder, beside what they depend on from this workspace: an install without a registry. */
export function unpack(tarballs, cwd) {
  const modules = join(cwd, 'node_modules')
  const link = (name, from) => {
    const to = join(modules, name)
    mkdirSync(dirname(to), { recursive: true })
    if (!existsSync(to)) symlinkSync(realpathSync(join(root, from, 'node_modules', name)), to)
  }
  for (const { folder, manifest } of publicPackages()) {
    const tarball = tarballs[manifest.name]
    if (tarball === undefined) continue
    const to = join(modules, manifest.name)
    mkdirSync(to, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', to, '--strip-components=1'])
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (tarballs[name] === undefined) link(name, folder)
    }
  }
  for (const name of BESIDE) link(name, 'packages/client')
}

/**
 * Copies programs into a folder and compiles them with a TypeScript: with all types of our packages, and without those
 * of wagmi, which no compiler accepts.
 */
export function compile(cwd, typescript, programs = PROGRAMS) {
  for (const file of readdirSync(join(root, 'scripts/programs'))) {
    const [name, ending] = file.split('.')
    if (ending === 'ts' && name !== 'demo' && !programs.includes(name)) continue
    copyFileSync(join(root, 'scripts/programs', file), join(cwd, file))
  }
  for (const project of ['tsconfig.json', SITE]) {
    const words = [join(typescript, 'bin/tsc'), '--project', project]
    execFileSync(process.execPath, words, { cwd, stdio: 'inherit' })
  }
}

/** Runs compiled programs against the demo of a folder. Gives the last line and the seconds of each. */
export function runPrograms(cwd, [program, ...words] = [process.execPath], programs = PROGRAMS) {
  return programs.map((name) => {
    const start = performance.now()
    const said = execFileSync(program, [...words, `built/${name}.js`], { cwd, encoding: 'utf8' })
    const seconds = (performance.now() - start) / 1_000
    return `${name}: ${said.trim().split('\n').at(-1)} (${seconds.toFixed(1)} s)`
  })
}

/** Starts a demo that writes about itself into `cwd`, and gives the way to stop it. */
export async function startDemo(cwd, [program, ...words], env = process.env) {
  const [port, rpcPort] = [await freePort(), await freePort()]
  const child = spawn(program, words, {
    cwd,
    env: { ...env, PORT: `${port}`, RPC_PORT: `${rpcPort}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const file = join(cwd, '.braid/demo.json')
  const until = performance.now() + PATIENCE_MS
  while (!existsSync(file)) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop()
      throw new Error('the demo did not start')
    }
    await sleep(200)
  }
  return { stop, ...JSON.parse(readFileSync(file, 'utf8')) }
}
