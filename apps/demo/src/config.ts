import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { ownValue } from '@braid-swap/core/advanced'
import { BadBlockTimeError, BadPortError, PortBusyError } from './errors.js'

/** The ports and the folder of the demo. */
export type DemoConfig = {
  /** Port of the API. */
  readonly port: number
  /** Port of the devnet's node. */
  readonly rpcPort: number
  /** Milliseconds between two blocks. */
  readonly blockTimeMs: number
  /** Folder for the keys, the log and `demo.json`. */
  readonly folder: string
  /** Shapes of other services, which the API checks. */
  readonly compat?: string
}

/** HyperEVM's small blocks come once a second. */
const BLOCK_MS = 1_000
const MIN_BLOCK_MS = 100
const MAX_BLOCK_MS = 60_000

/**
 * `PORT` (8080), `RPC_PORT` (8545), `BLOCK_MS` (1000), `BRAID_COMPAT` (none) and `BRAID_DIR` (`.braid` in the working
 * directory, which is the repository's root for `npm start`). Throws BAD_PORT, BAD_BLOCK_TIME.
 */
export function readConfig(environment: NodeJS.ProcessEnv): DemoConfig {
  const compat = environment['BRAID_COMPAT']
  return {
    ...(compat && { compat }),
    port: readPort(environment, 'PORT', 8080),
    rpcPort: readPort(environment, 'RPC_PORT', 8545),
    blockTimeMs: readBlockTime(environment),
    folder: resolve(environment['BRAID_DIR'] || '.braid'),
  }
}

/** Throws PORT_BUSY unless both ports can be listened on now. */
export async function checkPorts({ port, rpcPort }: DemoConfig): Promise<void> {
  if (port === rpcPort) throw new PortBusyError('RPC_PORT', rpcPort)
  if (!(await isFree(port))) throw new PortBusyError('PORT', port)
  if (!(await isFree(rpcPort))) throw new PortBusyError('RPC_PORT', rpcPort)
}

function readPort(environment: NodeJS.ProcessEnv, variable: string, fallback: number): number {
  const text = ownValue(environment, variable)
  if (text === undefined || text === '') return fallback
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new BadPortError(variable, text)
  return port
}

function readBlockTime(environment: NodeJS.ProcessEnv): number {
  const text = ownValue(environment, 'BLOCK_MS')
  if (text === undefined || text === '') return BLOCK_MS
  const blockTimeMs = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (blockTimeMs < MIN_BLOCK_MS || blockTimeMs > MAX_BLOCK_MS) {
    throw new BadBlockTimeError(text, { leastMs: MIN_BLOCK_MS, mostMs: MAX_BLOCK_MS })
  }
  return blockTimeMs
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
