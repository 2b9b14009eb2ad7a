import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transaction, Warning } from '@braid-swap/client'
import { stringify, ZERO_ADDRESS } from '@braid-swap/core/advanced'

/** The answer of an API double to `/swap`; amounts in wei. */
export type SwapAnswer = {
  readonly dstAmount: bigint
  /** Both only for an amount to buy. */
  readonly srcAmount?: bigint
  readonly maxSrcAmount?: bigint
  readonly tx: Transaction
}

/** A token as in the API's answers. */
type Named = { readonly address: string; readonly symbol: string; readonly decimals: number }

/**
 * A third-party API over real HTTP. It returns the tokens given, the result of `answer` for every `/swap`,
 * and that of `quote` for every `/quote`; `warnings` are those of every swap. `asked` lists the URLs of all requests.
 */
export async function startApiDouble(
  tokens: readonly Named[],
  answer: (query: URLSearchParams) => SwapAnswer,
  quote?: () => object,
  warnings: () => readonly Warning[] = () => [],
) {
  const asked: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    asked.push(url)
    const named = tokens.map((token) => ({ ...token, ...EXTRA, name: token.symbol }))
    const one = named.find(({ address }) => url.pathname.endsWith(`/tokens/${address}`))
    const quoted = url.pathname.endsWith('/quote') ? quote?.() : undefined
    const body = url.pathname.endsWith('/swap')
      ? {
          meta: { ...SWAP_META, warnings: warnings() },
          ...answer(url.searchParams),
          encodedTx: '0x',
        }
      : (quoted ??
        one ?? { tokens: Object.fromEntries(named.map((token) => [token.address, token])) })
    response.end(stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, stop }
}

/** What an API says of a quote besides its amount. */
export const QUOTE_META = {
  ...{ quoteId: 'q', blockNumber: '1', blockHash: '0x12', blockTimestamp: 1, snapshotId: 's' },
  ...{ stateAgeMs: 1, engineVersion: 'e', mode: 'sum', solveMs: 1, warnings: [] },
  ...{ priceImpactBps: null, validUntilBlock: '2' },
}

/** The same of a swap; a caller who believes any of it is wrong. */
const SWAP_META = {
  ...{ ...QUOTE_META, minDstAmount: '0', slippagePpm: 0, slippageBps: 0, deadline: 0 },
  intent: {
    ...{
      router: ZERO_ADDRESS,
      executor: ZERO_ADDRESS,
      payer: ZERO_ADDRESS,
      receiver: ZERO_ADDRESS,
    },
    minDstAmount: '0',
  },
  simulated: false,
}

const EXTRA = { verified: true, logoUri: null, buyPriceUsd: null, sellPriceUsd: null }
