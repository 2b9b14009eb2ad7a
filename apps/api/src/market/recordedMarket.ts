/** A market in a file instead of a chain: what `GET /snapshot` and `braid snapshot` write. It stays as it is. */
import { readFileText, type TokenText } from '@braid-swap/chain'
import { type Address, buildGraph, parseSnapshot, type Snapshot } from '@braid-swap/core'
import { precomputeReference } from '@braid-swap/core/advanced'
import type { Logger } from 'pino'
import type { ApiConfig } from '../config/config.js'
import { ConfigError } from '../config/configError.js'
import type { TokenList } from '../tokens/tokenList.js'
import type { FollowedMarket } from './liveMarket.js'
import { refusedTokens, withoutTokens } from './refusedTokens.js'

type Recording = Pick<ApiConfig, 'chain'> & { readonly marketFile: string }

/** The market of a snapshot file. Throws a {@link ConfigError} with what is wrong with the file. */
export function openRecorded(
  config: Recording,
  { tokenList, log }: { readonly tokenList: TokenList; readonly log: Logger },
): FollowedMarket {
  const snapshot = withoutTokens(readRecorded(config), refusedTokens(tokenList))
  const texts = textsOf(snapshot, tokenList, config)
  const graph = precomputeReference(buildGraph(snapshot))
  // Received at no time: it does not age.
  const state = { graph, receivedAtMs: Number.POSITIVE_INFINITY }
  const { block, pools } = snapshot
  log.warn(
    { file: config.marketFile, blockNumber: `${block.number}`, pools: pools.length },
    'a recorded market: quotes only, of this block for ever',
  )
  return {
    current: () => state,
    recorded: {
      readTexts: async (addresses) => addresses.flatMap((address) => texts.get(address) ?? []),
    },
    ready: Promise.resolve(),
    ended: Promise.resolve(),
  }
}

function readRecorded({ marketFile, chain }: Recording): Snapshot {
  const fault = (what: string, cause?: unknown) =>
    new ConfigError([`BRAID_MARKET: ${marketFile}: ${what}`], cause)
  let snapshot: Snapshot
  try {
    snapshot = parseSnapshot(readFileText(marketFile))
  } catch (cause) {
    throw fault((cause as Error).message, cause)
  }
  if (snapshot.chainId === chain.id) return snapshot
  throw fault(
    `a market of chain ${snapshot.chainId}, but BRAID_CHAIN is ${chain.name}, chain ${chain.id}`,
  )
}

/** Names as the list has them, because a snapshot has none; its decimals are what amounts were computed with. */
function textsOf(
  { tokens }: Snapshot,
  list: TokenList,
  { chain: { wrapped } }: Recording,
): ReadonlyMap<Address, TokenText> {
  return new Map(
    tokens.map(({ address, decimals }) => {
      const known = address === wrapped.address ? wrapped : list.get(address)
      return [address, { address, decimals, symbol: known?.symbol ?? '', name: known?.name ?? '' }]
    }),
  )
}
