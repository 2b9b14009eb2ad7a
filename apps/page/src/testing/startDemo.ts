import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Hex } from '@braid-swap/core'
import { freePort } from '@braid-swap/devnet/testing'

const main = resolve(import.meta.dirname, '../../../demo/dist/main.js')

/** The processes of `npm start`, on free ports. */
export type RunningDemo = {
  readonly url: string
  readonly rpcUrl: string
  /** The key of the demo account. */
  readonly privateKey: Hex
  readonly stop: () => Promise<void>
}

/** Starts the built demo as a child process; throws with its output if it exits. */
export async function startDemo(): Promise<RunningDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'braid-page-'))
  const [port, rpcPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [main], {
    env: {
      ...{ PATH: process.env['PATH'], BRAID_DIR: folder },
      // Every block draws the pictures again, which is most of the work of these tests.
      ...{ PORT: `${port}`, RPC_PORT: `${rpcPort}`, BLOCK_MS: '5000' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const isUp = new Promise<'up'>((done) => {
    child.stdout?.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C')) done('up')
    })
  })
  if ((await Promise.race([isUp, once(child, 'close')])) === 'up') {
    const { account } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))
    return {
      ...{ url: `http://127.0.0.1:${port}`, rpcUrl: `http://127.0.0.1:${rpcPort}` },
      ...{ privateKey: account.privateKey, stop },
    }
  }
  await stop()
  throw new Error(`the demo ended: ${said}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'close')
  child.kill('SIGTERM')
  await gone
}
