import {
  type EndpointProfile,
  examineChain,
  examineVenues,
  type Finding,
  hyperEvmUnserved,
  PAYS,
  probeEndpoints,
  type Venue,
  WHYPE,
} from '@braid-swap/chain'
import type { Command } from 'commander'
import { REQUESTS_PER_MINUTE, withExample, withJson } from '../commandOptions.js'
import { MismatchError, UsageError } from '../errors.js'
import { drawTable, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { openClient, venuesOf } from '../sources/marketSource.js'
import { callNode } from '../sources/node.js'
import type { Terminal } from '../terminal.js'

type DoctorOptions = {
  readonly rpc?: string
  readonly requestsPerMinute?: string
  readonly venues?: string
  readonly json?: true
}

/** `braid doctor`: checks our assumptions about the chain and every venue against a node. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .description('check venue and chain assumptions against a node')
    .option('--rpc <url>', 'the node to check against')
    .option(...REQUESTS_PER_MINUTE)
    .option('--venues <file>', 'venues to examine, as JSON (default: HyperEVM’s)')
    .action((options: DoctorOptions) => run(options, terminal))
  withJson(command)
  withExample(
    command,
    'braid doctor --rpc https://rpc.hyperliquid.xyz/evm --requests-per-minute 100',
  )
}

async function run(options: DoctorOptions, terminal: Terminal): Promise<void> {
  if (options.rpc === undefined) throw new UsageError('no node to check', { wanted: '--rpc URL' })
  const client = openClient(options.rpc, options)
  const venues = venuesOf(options.venues)
  const findings = await callNode(async () => {
    const [profile] = await probeEndpoints(client)
    if (profile) terminal.err(`the node: ${describe(profile)}`)
    const chain = await examineChain(client, { wrappedNative: WHYPE, nowMs: Date.now() })
    const onStep = trackProgress(terminal.err, 'steps')
    return [...chain, ...(await examineVenues(client, venues, { wrappedNative: WHYPE, onStep }))]
  })
  // The list of unserved deployments belongs to the built-in venues only.
  const unserved = options.venues === undefined ? hyperEvmUnserved : []
  if (options.json) writeJson(terminal, { findings, unserved })
  else terminal.out(draw(findings, venues, unserved))
  terminal.err(conclude(findings, venues))
}

function describe({ pastState, overrides, callGas, ...limits }: EndpointProfile): string {
  const { logRange, history } = limits
  return [
    ...[`earlier state ${pastState}`, `overrides ${overrides}`, `${callGas} gas a call`],
    ...(logRange === undefined ? [] : [`${logRange} blocks of logs`]),
    history === undefined ? 'all blocks kept' : `at least ${history} blocks kept`,
  ].join(', ')
}

/** Says that the venues are fit to serve; throws MISMATCH if not. */
function conclude(findings: readonly Finding[], venues: readonly Venue[]): string {
  const wrong = findings.filter(({ holds }) => holds === false)
  if (wrong.length > 0) {
    throw new MismatchError('the chain differs from the assumptions', {
      got: `${wrong.length} of ${findings.length} assumptions do not hold`,
      wanted: 'all assumptions to hold',
    })
  }
  const held = findings.filter(({ check, holds }) => holds && check === PAYS)
  if (held.length === 0) {
    throw new MismatchError('not fit to serve: no pool was held against the chain', {
      ...{
        got: 'no pool whose outputs could be compared',
        wanted: 'pools, and a node that runs them',
      },
    })
  }
  return `fit to serve: pools of ${held.length} of ${venues.length} venues pay what we quote`
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
