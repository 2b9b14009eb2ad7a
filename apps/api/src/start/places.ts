// The places of the machine that settings name, tried before the start, so that a wrong one is one line.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { ApiConfig } from '../config/config.js'
import { ConfigError } from '../config/configError.js'
import { listen } from '../http/httpServer.js'

/**
 * Tries to listen on the ports, and to write where the settings say. Throws a {@link ConfigError} with a line for
 * each variable that names a place which is not there, is taken or cannot be written.
 */
export async function checkPlaces(
  config: Pick<ApiConfig, 'host' | 'port' | 'metricsPort' | 'stateDir'>,
): Promise<void> {
  const { host, port, metricsPort, stateDir } = config
  const faults = [
    await portFault('PORT', { host, port }),
    metricsPort && (await portFault('BRAID_METRICS_PORT', { host, port: metricsPort })),
    stateDir && (await faultOf('BRAID_STATE_DIR', stateDir, () => tryFolder(stateDir))),
  ].filter((fault) => typeof fault === 'string')
  // The same fault of the host comes with each port.
  if (faults.length > 0) throw new ConfigError([...new Set(faults)])
}

/** What the system answers if it is the host, not the port, that is wrong. */
const HOST_FAULTS = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL', 'EINVAL']

async function portFault(
  variable: string,
  at: { readonly host: string; readonly port: number },
): Promise<string | undefined> {
  const server = createServer()
  try {
    await listen(server, at)
    await new Promise((resolve) => server.close(resolve))
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (HOST_FAULTS.includes(code))
      return `HOST: ${at.host} is no address of this machine (${code})`
    const why = code === 'EADDRINUSE' ? 'is taken' : 'cannot be listened on'
    return `${variable}: port ${at.port} ${why} (${code})`
  }
}

async function faultOf(
  variable: string,
  place: string,
  write: () => Promise<void>,
): Promise<string | undefined> {
  return write().then(
    () => undefined,
    (error: NodeJS.ErrnoException) => `${variable}: ${place} cannot be written (${error.code})`,
  )
}

async function tryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `.${process.pid}.try`)
  await writeFile(file, '')
  await rm(file)
}
