import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * The text of a file, such as a snapshot, unpacked if gzip packed it, whatever its name. Throws the system's error, or
 * that of zlib for a damaged pack.
 *
 * @example const snapshot = parseSnapshot(readFileText('market.json.gz'))
 */
export function readFileText(path: string): string {
  const bytes = readFileSync(path)
  // Gzip begins with these bytes (RFC 1952), which no text of ours does.
  const isPacked = path.endsWith('.gz') || (bytes[0] === 0x1f && bytes[1] === 0x8b)
  return (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '')
}
