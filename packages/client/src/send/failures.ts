import type { Hex } from '@braid-swap/core'

// What wallets and nodes throw. They agree on the numbers of EIP-1193 and EIP-1474, but not on texts.

export type Said = {
  readonly code?: unknown
  readonly details?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** An error and its causes, the outermost first. Wallets nest the original in `data`, too. Never throws. */
export function causesOf(error: unknown): readonly Said[] {
  const found: Said[] = []
  for (let next = error; typeof next === 'object' && next !== null && found.length < 9; ) {
    found.push(next as Said)
    const { cause, data } = next as { readonly cause?: unknown; readonly data?: unknown }
    next = cause ?? (data as { readonly originalError?: unknown } | undefined)?.originalError
  }
  return found
}

/**
 * True if the owner of a wallet declined: the one word by which a wallet says that it sends nothing. Behind
 * every other code it may have sent. The innermost counts, because viem gives 4001 to others, too.
 */
export function isDeclined(error: unknown): boolean {
  const codes = causesOf(error).flatMap(({ code }) => (typeof code === 'number' ? [code] : []))
  return codes.at(-1) === 4001
}

/** The data of a revert, `0x` if it has none; `undefined` for any other failure. */
export function revertDataOf(error: unknown): Hex | undefined {
  const causes = causesOf(error)
  for (const { data } of causes) {
    const found = typeof data === 'object' && data !== null ? (data as Said).data : data
    if (typeof found === 'string' && /^0x([0-9a-f]{2})*$/i.test(found)) return found as Hex
  }
  const isRevert = causes.some(
    ({ code, details, message }) =>
      code === 3 || /execution reverted/i.test(`${details ?? ''} ${message ?? ''}`),
  )
  return isRevert ? '0x' : undefined
}
