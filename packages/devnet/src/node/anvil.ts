import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { AnvilStartError, NoAnvilBinaryError } from '../errors.js'

/** A running anvil process. */
export type Anvil = {
  readonly rpcUrl: string
  readonly port: number
  readonly pid: number
  /** Resolves with a reason if the process exits without {@link Anvil.stop}. */
  readonly died: Promise<string>
  /** Stops the process and resolves when it has exited; calling it again is harmless. */
  readonly stop: () => Promise<void>
}

const START_TIMEOUT_MS = 20_000
const packages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64/bin/anvil',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64/bin/anvil',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64/bin/anvil',
  'linux-x64': '@foundry-rs/anvil-linux-amd64/bin/anvil',
  'win32-x64': '@foundry-rs/anvil-win32-amd64/bin/anvil.exe',
}

/**
 * The path of the platform's anvil binary. It is spawned directly, because npx's wrapper is slower
 * and leaves its child behind when it is killed. Throws NO_ANVIL_BINARY.
 */
export function findAnvil(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  const file = packages[`${platform}-${arch}`]
  if (file === undefined) {
    throw new NoAnvilBinaryError({ platform, arch, wanted: Object.keys(packages).join(', ') })
  }
  try {
    const require = createRequire(import.meta.url)
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(file)
  } catch (cause) {
    throw new NoAnvilBinaryError({ platform, arch, wanted: file }, cause)
  }
}

/**
 * Starts anvil with these arguments on 127.0.0.1 and waits until it listens; port 0 lets the system
 * choose. The process ends with `stop()`, with this process, and even when this process is killed.
 * Throws ANVIL_START, NO_ANVIL_BINARY.
 */
export async function spawnAnvil(port: number, args: readonly string[]): Promise<Anvil> {
  // A separate session: Ctrl-C reaches only the parent, which then stops the node gracefully.
  const child = spawn(findAnvil(), ['--host', '127.0.0.1', '--port', `${port}`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const kill = () => {
    child.kill('SIGKILL')
  }
  process.once('exit', kill)
  const dropGuard = child.pid === undefined ? () => {} : guard(child.pid)
  const release = () => {
    process.removeListener('exit', kill)
    dropGuard()
  }
  try {
    const listening = await waitForPort(child, port)
    return running(child, listening, release)
  } catch (error) {
    kill()
    release()
    throw error
  }
}

function running(child: ChildProcess, port: number, release: () => void): Anvil {
  let stopping = false
  const gone = once(child, 'exit')
  const died = gone.then(([code, signal]) => {
    release()
    return stopping ? new Promise<never>(() => {}) : `anvil ended with ${signal ?? code}`
  })
  const stop = async () => {
    stopping = true
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await gone
    }
  }
  return { rpcUrl: `http://127.0.0.1:${port}`, port, pid: child.pid ?? 0, died, stop }
}

/** The port from anvil's `Listening on` line, because anvil reports a chosen port only there. */
function waitForPort(child: ChildProcess, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (reason: string, cause?: unknown) => {
      clearTimeout(timer)
      reject(new AnvilStartError({ reason, port, output: output.slice(-500).trim() }, cause))
    }
    const timer = setTimeout(() => fail(`silent for ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /Listening on [^\s]*:(\d+)/.exec(output)
      if (found === null) return
      clearTimeout(timer)
      child.stdout?.off('data', read).resume()
      child.stderr?.off('data', read).resume()
      resolve(Number(found[1]))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (cause) => fail(cause.message, cause))
    child.once('close', (code, signal) => fail(`ended with ${signal ?? code}`))
  })
}

/**
 * A shell that waits for the end of its input and then kills anvil. The input ends with this process,
 * even if it is killed. Windows has no such shell, so there only a normal exit is covered.
 */
function guard(pid: number): () => void {
  if (process.platform === 'win32') return () => {}
  const script = 'read -r _; kill -9 "$1" 2>/dev/null'
  const shell = spawn('/bin/sh', ['-c', script, 'guard', `${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.on('error', () => {})
  shell.unref()
  const pipe = shell.stdin
  if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
  return () => {
    shell.kill('SIGKILL')
  }
}
