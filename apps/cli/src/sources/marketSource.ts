import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Client,
  checkVenues,
  countSetAside,
  createClient,
  loadSnapshot,
  type Market,
  readTokens,
  type SharedLimit,
  shareRequests,
  type Venue,
} from '@braid-swap/chain'
import type { Snapshot } from '@braid-swap/core'
import { wholeNumber } from '../commandOptions.js'
import { NoPoolsError, UsageError } from '../errors.js'
import { ownChain } from '../ownChain.js'
import type { Terminal } from '../terminal.js'
import { readFileAs, readSnapshot, STANDARD_INPUT } from './files.js'
import { callNode } from './node.js'
import { type ListedToken, nativeToken, readTokenFile, requireDecimals } from './tokens.js'

/** The options that name the source of a market. */
export type SourceOptions = {
  readonly snapshot?: string
  readonly rpc?: string
  readonly requestsPerMinute?: string
  readonly api?: string
  readonly key?: string
  readonly venues?: string
  readonly tokens?: string
}

/** A whole market at one block, and the names of its tokens. */
export type OpenMarket = {
  readonly snapshot: Snapshot
  readonly tokens: readonly ListedToken[]
  readonly client?: Client
}

/** The one source among the options; throws USAGE if there is none or more than one. */
export function sourceOf(options: SourceOptions): 'snapshot' | 'rpc' | 'api' {
  const given = (['snapshot', 'rpc', 'api'] as const).filter((name) => options[name] !== undefined)
  if (given.length !== 1 || !given[0]) {
    throw new UsageError('exactly one source of the market is needed', {
      got: given.length === 0 ? 'nothing' : given.map((name) => `--${name}`).join(' and '),
      wanted: 'one of --snapshot FILE, --rpc URL, --api URL',
    })
  }
  return given[0]
}

/** The market from the snapshot file or the node that the options name. */
export async function openMarket(options: SourceOptions, terminal: Terminal): Promise<OpenMarket> {
  if (options.snapshot !== undefined) {
    return readMarket(options.snapshot, options.tokens, terminal)
  }
  if (options.rpc !== undefined) return loadMarket(options.rpc, options, terminal)
  throw new UsageError('this command needs a whole market', {
    wanted: '--snapshot FILE or --rpc URL',
  })
}

/**
 * The market in a snapshot file, or in the standard input for the path `-`. Symbols come from
 * `tokenFile`, or from `tokens.json` beside a file.
 */
export function readMarket(
  path: string,
  tokenFile: string | undefined,
  terminal: Pick<Terminal, 'input' | 'progress'>,
): OpenMarket {
  const snapshot = readSnapshot(path, terminal)
  const beside = join(dirname(path), 'tokens.json')
  const isBeside = path !== STANDARD_INPUT && existsSync(beside)
  const listFile = tokenFile ?? (isBeside ? beside : undefined)
  return { snapshot, tokens: nameTokens(snapshot, listFile ? readTokenFile(listFile) : []) }
}

/** Loads the market at a block, by default the node's newest. Throws RPC_FAILED, WRONG_CHAIN. */
export async function loadMarket(
  rpcUrl: string,
  options: Pick<SourceOptions, 'requestsPerMinute' | 'venues' | 'tokens'> & {
    readonly block?: bigint
  },
  terminal: Terminal,
): Promise<OpenMarket> {
  const client = openClient(rpcUrl, options)
  const venues = venuesOf(options.venues)
  const { snapshot } = (await loadVenues(client, { venues, block: options.block }, terminal)).state
  const addresses = snapshot.tokens.map((token) => token.address)
  const listed = options.tokens
    ? readTokenFile(options.tokens)
    : await callNode(() => readTokens(client, addresses))
  return { snapshot, tokens: nameTokens(snapshot, listed), client }
}

/** Loads the market of some venues, at the node's newest block by default, and says what it is. */
export async function loadVenues(
  client: Client,
  at: { readonly venues: readonly Venue[]; readonly block?: bigint | undefined },
  terminal: Pick<Terminal, 'err'>,
): Promise<Market> {
  const { venues, block } = at
  const { guard, wrapped } = ownChain()
  terminal.err(`reading the pools of ${venues.length} venues`)
  const market = await callNode(() =>
    loadSnapshot(client, {
      ...{ venues, guard, wrappedNative: wrapped.address },
      ...(block !== undefined && { block }),
    }),
  )
  const { snapshot, setAside } = market.state
  terminal.err(`${snapshot.pools.length} pools at block ${snapshot.block.number}`)
  for (const [code, count] of Object.entries(countSetAside(setAside))) {
    terminal.err(`${count} set aside: ${code}`)
  }
  return market
}

/** Throws NO_POOLS for a market with no pool except the wrapping of the native token. */
export function requirePools({ pools, block }: Snapshot): void {
  if (pools.some(({ family }) => family !== 'wrap')) return
  throw new NoPoolsError('this market has no pools', {
    got: `none at block ${block.number}`,
    wanted: 'the venues of this chain: --venues FILE',
  })
}

// A command that opens several clients of one node has one limit.
const limits = new Map<string, SharedLimit>()

/** A client of the node at this URL; throws USAGE unless it is a URL and the limit a whole number. */
export function openClient(
  rpcUrl: string,
  { requestsPerMinute }: Pick<SourceOptions, 'requestsPerMinute'> = {},
): Client {
  if (!/^(https?|wss?):\/\/./i.test(rpcUrl)) {
    throw new UsageError('--rpc is not a URL', { got: rpcUrl, wanted: 'http(s)://… or ws(s)://…' })
  }
  const chain = ownChain()
  if (requestsPerMinute === undefined) return createClient(rpcUrl, { chain })
  const most = wholeNumber('--requests-per-minute', requestsPerMinute)
  const key = `${requestsPerMinute} ${rpcUrl}`
  const limit = limits.get(key) ?? shareRequests(most, [1])[0]!
  limits.set(key, limit)
  return createClient(rpcUrl, { chain, requestsPerMinute: limit })
}

/** The node of `--rpc`, and the venues to read there. Throws USAGE without a node, FILE_UNREADABLE. */
export function openNode(options: SourceOptions): {
  readonly client: Client
  readonly venues: readonly Venue[]
} {
  const { rpc, venues } = options
  if (rpc === undefined) throw new UsageError('no node to read', { wanted: '--rpc URL' })
  return { client: openClient(rpc, options), venues: venuesOf(venues) }
}

/** The venues in a file, or the chain's own by default. Throws FILE_UNREADABLE. */
export function venuesOf(path: string | undefined): readonly Venue[] {
  if (path === undefined) return ownChain().venues
  const form = 'a JSON array of venues { id, family, factory, … }'
  return readFileAs(path, form, (text) => checkVenues(JSON.parse(text)))
}

// The market has the decimals; names come from a list, which must not contradict them.
function nameTokens(snapshot: Snapshot, named: readonly ListedToken[]): readonly ListedToken[] {
  const byAddress = new Map(
    [...named, nativeToken(snapshot.chainId)].map((token) => [token.address, token]),
  )
  return snapshot.tokens.map(({ address, decimals }) => {
    const known = byAddress.get(address)
    requireDecimals({ address, decimals }, known)
    const { symbol = '', name = '', isListed } = known ?? {}
    return { address, decimals, symbol, name, ...(isListed && { isListed }) }
  })
}
