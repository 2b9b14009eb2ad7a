import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BaseError } from '@braid-swap/core'

/** Folder of the peers' own package.json and lockfile; not part of the workspace. */
export const peersPath: string = resolve(dirname(fileURLToPath(import.meta.url)), '../../peers')

/**
 * Installs the rival packages from their own lockfile if they are missing: about 400 MB, so only
 * the benchmark does it. Throws a {@link PeerInstallError}.
 */
export function installPeers(): void {
  if (arePeersInstalled()) return
  try {
    const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', flags, { cwd: peersPath, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (cause) {
    throw new PeerInstallError('cannot install the rival packages', { folder: peersPath }, cause)
  }
}

/** Returns whether the peers' packages are on disk. */
export function arePeersInstalled(): boolean {
  const wanted = ['@sushiswap/tines', '@uniswap/smart-order-router', 'viem']
  return wanted.every((name) => existsSync(join(peersPath, 'node_modules', name, 'package.json')))
}

/** Loads a module of the peers as CommonJS. The caller asserts its type; no types are installed. */
export function requirePeer(name: string): unknown {
  return createRequire(join(peersPath, 'package.json'))(name)
}

/** `npm ci` in the peers' folder failed. */
export class PeerInstallError extends BaseError {
  readonly code = 'PEER_INSTALL'
}
