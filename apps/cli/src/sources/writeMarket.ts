import { dirname, join } from 'node:path'
import { type Snapshot, stringifySnapshot } from '@braid-swap/core'
import { writeText } from './files.js'
import type { ListedToken } from './tokens.js'

/** Writes a market as a file, and the names of its tokens as `tokens.json` beside it. Throws FILE_UNREADABLE. */
export function writeMarket(out: string, snapshot: Snapshot, tokens: readonly ListedToken[]): void {
  writeText(out, `${stringifySnapshot(snapshot)}\n`)
  writeNames(dirname(out), tokens)
}

/** Writes the names of tokens as `tokens.json`, where the files of a folder find them. Throws FILE_UNREADABLE. */
export function writeNames(folder: string, tokens: readonly ListedToken[]): void {
  const named = tokens
    .filter(({ symbol }) => symbol !== '')
    .map(({ address, symbol, name, decimals }) => ({ address, symbol, name, decimals }))
  const list = named.map((token) => `  ${JSON.stringify(token)}`).join(',\n')
  writeText(join(folder, 'tokens.json'), `[\n${list}\n]\n`)
}
