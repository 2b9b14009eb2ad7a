import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '@braid-swap/devnet/testing'
import { afterEach, beforeEach, expect } from 'vitest'

export const root = resolve(import.meta.dirname, '../../../..')

type Ports = { readonly port: number; readonly rpcPort: number }

/** For each test a folder, and what starts the built demo in it and ends it. */
export function useDemo() {
  let folder: string
  let child: ChildProcess | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braid-demo-'))
  })
  afterEach(async () => {
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts it as a child process; resolves with its output once it is up or has exited. */
  async function start({ port, rpcPort }: Ports, [program, ...words] = demoCommand) {
    const env = { PORT: `${port}`, RPC_PORT: `${rpcPort}`, BRAID_DIR: folder }
    const demo = spawn(program, words, {
      cwd: root,
      // Every block makes the trader, the node and the API work, and no test here asks for many.
      env: { PATH: process.env['PATH'], BLOCK_MS: '3000', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = demo
    const output = { stdout: '', stderr: '' }
    const closed = once(demo, 'close')
    demo.stderr.on('data', (chunk) => {
      output.stderr += chunk
    })
    const up = new Promise<void>((done) => {
      demo.stdout.on('data', (chunk) => {
        output.stdout += chunk
        if (output.stdout.includes('Ctrl-C')) done()
      })
    })
    await Promise.race([up, closed])
    return { demo, output, closed }
  }
  return { start, inFolder: (name: string) => join(folder, name) }
}

/** The built demo. */
export const program = join(root, 'apps/demo/dist/main.js')

const demoCommand: readonly [string, ...string[]] = [process.execPath, program]

export async function freePorts(): Promise<Ports> {
  return { port: await freePort(), rpcPort: await freePort() }
}

export const urlsOf = ({ port, rpcPort }: Ports) =>
  [port, rpcPort].map((one) => `http://127.0.0.1:${one}`)

/** Whether something answers at each of the two. */
export const areAnswering = (urls: readonly string[]) => Promise.all(urls.map(isAnswering))

const isAnswering = (url: string) =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  )

/** Waits until nothing answers any more: what the system kills is not gone at once. */
export async function expectSilence(urls: readonly string[]): Promise<void> {
  await expect.poll(() => areAnswering(urls), { timeout: 15_000 }).toEqual(urls.map(() => false))
}
