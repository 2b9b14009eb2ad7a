import type { Hex } from '@braid-swap/core'

// What wallets and nodes throw, sorted by the one question that counts: may the transaction be under
// way? They agree on the numbers of EIP-1193 and EIP-1474, but not on texts.

type Said = {
  readonly code?: unknown
  readonly details?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** An error and its causes, the outermost first. Wallets nest the original in `data`, too. */
export function causesOf(error: unknown): readonly Said[] {
  const found: Said[] = []
  for (let next = error; typeof next === 'object' && next !== null && found.length < 9; ) {
    found.push(next as Said)
    const { cause, data } = next as { readonly cause?: unknown; readonly data?: unknown }
    next = cause ?? (data as { readonly originalError?: unknown } | undefined)?.originalError
  }
  return found
}

const says = (error: unknown, pattern: RegExp) =>
  causesOf(error).some(({ details, message }) => pattern.test(`${details ?? ''} ${message ?? ''}`))

/** True if the node has the transaction already, or has mined one with its nonce. */
export function isSentAlready(error: unknown): boolean {
  return says(
    error,
    /already (known|imported|exists)|known transaction|nonce (is )?too low|nonce has already been used/i,
  )
}

/** Answers behind which a wallet or a proxy may hide an answer of the node that was lost. */
const UNSURE = new Set([-32603, -32005, -1])

/** True if the wallet or the node says clearly that it does not send the transaction. */
export function isRefusal(error: unknown): boolean {
  if (says(error, /insufficient funds|exceeds (the )?balance/i)) return true
  if (says(error, /time(d )?-?out|failed to fetch|gateway/i)) return false
  const codes = causesOf(error).flatMap(({ code }) => (typeof code === 'number' ? [code] : []))
  return codes.length > 0 && !codes.some((code) => UNSURE.has(code))
}

/** The data of a revert, `0x` if it has none; `undefined` for any other failure. */
export function revertDataOf(error: unknown): Hex | undefined {
  for (const { data } of causesOf(error)) {
    const found = typeof data === 'object' && data !== null ? (data as Said).data : data
    if (typeof found === 'string' && /^0x([0-9a-f]{2})*$/i.test(found)) return found as Hex
  }
  const isRevert = causesOf(error).some(({ code }) => code === 3)
  return isRevert || says(error, /execution reverted/i) ? '0x' : undefined
}
