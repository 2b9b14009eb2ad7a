import { steadyMs, type TokenText } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import type { TokenBook } from './tokenBook.js'

/** Sentences wait no longer for names: an answer without them is better than a late one. */
const NAMES_MS = 500
/** After a node was late, names that are not known yet are not asked for. */
const REST_MS = 10_000

const restUntilMs = new WeakMap<object, number>()

/** The texts of tokens for a sentence; undefined if the node does not give them at once. */
export async function namesOf(
  tokens: Pick<TokenBook, 'read' | 'isKnown'>,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, TokenText> | undefined> {
  const isResting = steadyMs() < (restUntilMs.get(tokens) ?? 0)
  if (isResting && !addresses.every(tokens.isKnown)) return undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), NAMES_MS)
  })
  const texts = await Promise.race([tokens.read(addresses).catch(() => undefined), late])
  clearTimeout(timer)
  if (!texts) restUntilMs.set(tokens, steadyMs() + REST_MS)
  return texts
}
