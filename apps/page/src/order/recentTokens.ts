/** The tokens that the visitor chose last, kept in the browser. */
import type { Address } from '@braid-swap/core'
import { kept } from '../storage.js'

const KEY = 'braid.tokens'
const MAX_RECENT = 6

/** The last chosen tokens, the newest first. */
export function readRecent(): readonly Address[] {
  return (kept.read(KEY) ?? '')
    .split(' ')
    .filter((text): text is Address => /^0x[0-9a-f]{40}$/.test(text))
    .slice(0, MAX_RECENT)
}

/** Puts a token first. */
export function keepRecent(token: Address): void {
  const others = readRecent().filter((each) => each !== token)
  kept.write(KEY, [token, ...others].slice(0, MAX_RECENT).join(' '))
}
