import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Program, startProgram } from './startProgram.js'

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../../../..')

/** The built demo, as `npm start` runs it. */
export const demoMain = join(root, 'apps/demo/dist/main.js')

/** A demo in a folder of its own. */
export type RunningDemo = Program & {
  /** False if it ended instead of coming up. */
  readonly isUp: boolean
  readonly url: string
  readonly rpcUrl: string
  readonly inFolder: (name: string) => string
  /** The key of the demo account. */
  readonly privateKey: () => `0x${string}`
  /** Whether something answers at each of the two addresses. */
  readonly areAnswering: () => Promise<readonly boolean[]>
  /** Ends it and removes the folder. */
  readonly stop: () => Promise<void>
}

/** What a demo listens on, the command if it is not the usual one, and the milliseconds between two blocks. */
export type DemoOptions = {
  readonly ports: readonly [api: number, rpc: number]
  readonly command?: readonly [string, ...string[]]
  /** Each block makes the trader, the node, the API and an open page work. */
  readonly blockMs: number
}

/** Starts the demo; resolves once it is up or has ended. */
export async function startDemo({
  ports,
  blockMs,
  command = [process.execPath, demoMain],
}: DemoOptions): Promise<RunningDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'braid-demo-'))
  const [PORT, RPC_PORT] = ports.map(String) as [string, string]
  const env = { PORT, RPC_PORT, BRAID_DIR: folder, BLOCK_MS: `${blockMs}` }
  const program = startProgram(command, { cwd: root, env })
  const [url, rpcUrl] = [PORT, RPC_PORT].map((port) => `http://127.0.0.1:${port}`)
  return {
    ...program,
    ...{ isUp: await program.says('Ctrl-C'), url: url!, rpcUrl: rpcUrl! },
    inFolder: (name) => join(folder, name),
    privateKey: () =>
      JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')).account.privateKey,
    areAnswering: () => Promise.all([isAnswering(url!), isAnswering(rpcUrl!)]),
    stop: async () => {
      await program.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isAnswering = (url: string) =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  )
