import type { Braid } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { isAskedAgain } from './errorText.js'
import { type PageToken, type Tokens, withSymbol } from './format.js'

/** The time after which the tokens are requested again, if the error may pass. */
const TOKENS_RETRY_MS = 2_000

/** The market's tokens, read once: tokens verified by a list first, then by symbol. */
function useMarketTokens(braid: Braid) {
  const [tokens, setTokens] = useState<Tokens>(new Map())
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const rank = ({ verified, symbol }: PageToken) => `${verified ? 0 : 1}${symbol.toLowerCase()}`
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function read() {
      try {
        const all = await braid.allTokens({}, { signal: stop.signal })
        if (stop.signal.aborted) return
        const sorted = [...all].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
        setTokens(new Map(sorted.map((token) => [token.address, withSymbol(token)])))
        setFailure(undefined)
      } catch (error) {
        if (stop.signal.aborted) return
        setFailure(error)
        if (isAskedAgain(error)) timer = setTimeout(read, TOKENS_RETRY_MS)
      }
    }
    read()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [braid])
  return { tokens, failure }
}

/** The market's tokens, and those of `wanted` that are tokens outside of it. */
export function useTokens(braid: Braid, wanted: readonly Address[]) {
  const { tokens: market, failure } = useMarketTokens(braid)
  const [others, setOthers] = useState<readonly PageToken[]>([])
  const missing = wanted.filter(
    (token) => !market.has(token) && !others.some(({ address }) => address === token),
  )
  const key = market.size > 0 ? missing.join(' ') : ''
  useEffect(() => {
    let isGone = false
    for (const address of key.split(' ').filter(Boolean)) {
      braid.token(address as Address).then(
        (token) => !isGone && setOthers((before) => [...before, withSymbol(token)]),
        // The order then says that the token is not known.
        () => {},
      )
    }
    return () => {
      isGone = true
    }
  }, [braid, key])
  const tokens = useMemo<Tokens>(
    () => new Map([...market, ...others.map((token) => [token.address, token] as const)]),
    [market, others],
  )
  return { tokens, failure }
}
