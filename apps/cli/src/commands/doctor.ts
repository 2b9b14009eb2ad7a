import {
  type Client,
  checkVenues,
  type EndpointProfile,
  examineChain,
  examineVenue,
  type Finding,
  hyperEvmHubs,
  hyperEvmUnserved,
  probeEndpoints,
  type Venue,
  WHYPE,
} from '@braid-swap/chain'
import { getAmountOut, type Snapshot, stringify } from '@braid-swap/core'
import type { Command } from 'commander'
import { z } from 'zod'
import { probePool } from '../bytecode/probePool.js'
import { REQUESTS_PER_MINUTE, withExample, withJson } from '../commandOptions.js'
import { MismatchError, NodeError, UsageError } from '../errors.js'
import { drawTable, writeJson } from '../output.js'
import { trackProgress } from '../progress.js'
import { readFileAs, writeText } from '../sources/files.js'
import { openClient, venuesOf } from '../sources/marketSource.js'
import { callNode } from '../sources/node.js'
import { type Exchange, exchangesSchema, recordNode, replayNode } from '../sources/recordedNode.js'
import type { Terminal } from '../terminal.js'

type DoctorOptions = {
  readonly rpc?: string
  readonly requestsPerMinute?: string
  readonly venues?: string
  readonly out?: string
  readonly from?: string
  readonly json?: true
}

const FORM = 'braid doctor 1'
const reportSchema = z.object({
  form: z.literal(FORM),
  /** Unix milliseconds of the examination, by the clock of the machine that made it. */
  nowMs: z.number(),
  /** Null: the built-in venues. */
  venues: z.unknown(),
  exchanges: exchangesSchema,
  /** What decides whether a comparison proves anything. */
  profile: z
    .object({
      pastState: z.enum(['pinned', 'latest', 'refused']),
      overrides: z.enum(['honoured', 'ignored', 'refused']),
    })
    .optional(),
})

type Abilities = Pick<EndpointProfile, 'pastState' | 'overrides'>

/** The input of an examination: a node or a record of one, the time, and the venues. */
type Source = {
  readonly client: Client
  readonly nowMs: number
  readonly venues: readonly Venue[]
  readonly areBuiltIn: boolean
  /** The node itself, absent with a record. */
  readonly node?: Client
  /** What the node of a record could do. */
  readonly profile?: Abilities
}

/** `braid doctor`: checks our assumptions about the chain and every venue against a node. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .description('check venue and chain assumptions against a node')
    .option('--rpc <url>', 'the node to check against')
    .option(...REQUESTS_PER_MINUTE)
    .option('--venues <file>', 'venues to examine, as JSON (default: HyperEVM’s)')
    .option('--out <file>', 'file to write: the findings and all that the node answered')
    .option('--from <file>', 'examine again from such a file, without a node')
    .action((options: DoctorOptions) => run(options, terminal))
  withJson(command)
  withExample(command, 'braid doctor --rpc https://rpc.hyperliquid.xyz/evm --out report.json')
}

async function run(options: DoctorOptions, terminal: Terminal): Promise<void> {
  const exchanges: Exchange[] = []
  const { client, nowMs, venues, areBuiltIn, ...source } = sourceOf(options, exchanges)
  const findings = [
    ...(await callNode(() => examineChain(client, { wrappedNative: WHYPE, nowMs }))),
  ]
  const [probed] = source.node ? await probeEndpoints(source.node) : []
  if (probed) terminal.err(`the node: ${describe(probed)}`)
  const profile = probed ?? source.profile
  const progress = trackProgress(terminal.err, 'venues examined')
  for (const [i, venue] of venues.entries()) {
    findings.push(...(await examine(client, venue, profile)))
    progress(i + 1, venues.length)
  }
  // The list of unserved deployments belongs to the built-in venues only.
  const unserved = areBuiltIn ? hyperEvmUnserved : []
  if (options.out !== undefined) {
    const given = areBuiltIn ? null : venues
    const abilities = probed && { pastState: probed.pastState, overrides: probed.overrides }
    const report = {
      form: FORM,
      nowMs,
      venues: given,
      ...(abilities && { profile: abilities }),
      findings,
      exchanges,
    }
    writeText(options.out, stringify(report))
  }
  if (options.json) writeJson(terminal, { findings, unserved })
  else terminal.out(draw(findings, venues, unserved))
  const wrong = findings.filter(({ holds }) => holds === false)
  const held = new Set(
    findings.filter(({ check, holds }) => holds && HELD.has(check)).map(({ subject }) => subject),
  )
  if (wrong.length === 0 && held.size > 0) {
    terminal.err(`fit to serve: pools of ${held.size} of ${venues.length} venues pay what we quote`)
    return
  }
  if (wrong.length === 0) {
    throw new MismatchError('not fit to serve: no pool was held against the chain', {
      ...{
        got: 'no pool whose outputs could be compared',
        wanted: 'pools, and a node that runs them',
      },
    })
  }
  throw new MismatchError('the chain differs from the assumptions', {
    got: `${wrong.length} of ${findings.length} assumptions do not hold`,
    wanted: 'all assumptions to hold',
  })
}

function sourceOf(options: DoctorOptions, exchanges: Exchange[]): Source {
  if ((options.rpc === undefined) === (options.from === undefined)) {
    throw new UsageError('exactly one source is needed', { wanted: '--rpc URL or --from FILE' })
  }
  if (options.rpc !== undefined) {
    const node = openClient(options.rpc, options)
    return {
      node,
      client: options.out === undefined ? node : recordNode(node, exchanges),
      nowMs: Date.now(),
      venues: venuesOf(options.venues),
      areBuiltIn: options.venues === undefined,
    }
  }
  if (options.venues !== undefined || options.out !== undefined) {
    throw new UsageError('a report has its own venues, and is not written again', {
      wanted: '--from FILE without --venues and --out',
    })
  }
  return readFileAs(options.from!, 'a report of braid doctor --out', (text) => {
    const { nowMs, venues, exchanges, profile } = reportSchema.parse(JSON.parse(text))
    return {
      ...{ client: replayNode(exchanges), nowMs, areBuiltIn: venues === null },
      venues: venues === null ? venuesOf(undefined) : checkVenues(venues),
      ...(profile && { profile }),
    }
  })
}

/** The checks that hold outputs of pools against ours. */
const PAYS = 'pays what we quote'
const HELD: ReadonlySet<string> = new Set([PAYS, 'quotes of the pair itself'])

function describe({ pastState, overrides, callGas, logRange }: EndpointProfile): string {
  const range = logRange === undefined ? '' : `, ${logRange} blocks of logs`
  return `earlier state ${pastState}, overrides ${overrides}, ${callGas} gas a call${range}`
}

async function examine(
  client: Client,
  venue: Venue,
  profile: Abilities | undefined,
): Promise<readonly Finding[]> {
  const { findings, snapshot } = await callNode(() =>
    examineVenue(client, venue, { tokens: hyperEvmHubs, wrappedNative: WHYPE }),
  )
  const all = snapshot
    ? [...findings, await askBytecode(client, { venue, snapshot, profile })]
    : findings
  if (profile === undefined || profile.pastState === 'pinned') return all
  // The two sides of a comparison may be of two blocks.
  return all.map(({ holds, ...finding }) => {
    if (holds === undefined) return finding
    if (holds || !HELD.has(finding.check)) return { ...finding, holds }
    return { ...finding, found: `${finding.found}; undecided: the node ignores the block` }
  })
}

/** Checks that the venue's pools pay exactly what core computes for them. */
async function askBytecode(
  client: Client,
  {
    venue,
    snapshot,
    profile,
  }: {
    readonly venue: Venue
    readonly snapshot: Snapshot
    readonly profile: Abilities | undefined
  },
): Promise<Finding> {
  const finding = { subject: venue.id, check: PAYS, assumed: 'to the wei' }
  if (profile && profile.overrides !== 'honoured') {
    return { ...finding, found: `undecided: state overrides are ${profile.overrides}` }
  }
  let [swaps, equal] = [0, 0]
  try {
    for (const pool of snapshot.pools) {
      const probed = await probePool(client, snapshot, pool)
      if (probed === undefined) continue
      for (const { direction, amountIn, amountOut } of probed.swaps) {
        swaps += 1
        if (getAmountOut(probed.pool, direction, amountIn) === amountOut) equal += 1
      }
    }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return { ...finding, found: 'undecided: the node refused the calls' }
  }
  if (swaps === 0) return { ...finding, found: 'these pools cannot be probed' }
  return { ...finding, found: `${equal} of ${swaps} swaps`, holds: equal === swaps }
}

function draw(
  findings: readonly Finding[],
  venues: readonly Venue[],
  unserved: typeof hyperEvmUnserved,
): string {
  const rows = findings.map(({ subject, check, found, assumed, holds }) => [
    ...[verdictOf(holds), subject, check, found, assumed],
  ])
  const open = venues.flatMap(({ id, toConfirm = [] }) => toConfirm.map((what) => [id, what]))
  const reasons = unserved.map(({ id, why }) => [id, why])
  return [
    drawTable(['', 'subject', 'check', 'found', 'assumed'], rows),
    ...section('Assumed from public registries; confirm with the rows above or by hand:', open),
    ...section(`${unserved.length} known deployments are not served:`, reasons),
  ].join('\n')
}

function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : ['', title, drawTable(['venue', 'what'], rows)]
}

function verdictOf(holds: boolean | undefined): string {
  if (holds === undefined) return '?'
  return holds ? 'ok' : 'WRONG'
}
