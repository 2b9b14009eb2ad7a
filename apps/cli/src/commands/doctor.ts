import {
  type EndpointProfile,
  examineChain,
  examineVenues,
  type Finding,
  PAYS,
  probeEndpoints,
  type Unserved,
  type Venue,
} from '@braid-swap/chain'
import type { Command } from 'commander'
import { withExample, withJson, withNode } from '../commandOptions.js'
import { MismatchError } from '../errors.js'
import { ownChain } from '../ownChain.js'
import { drawTable, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { openNode, type SourceOptions } from '../sources/marketSource.js'
import { callNode } from '../sources/node.js'
import type { Terminal } from '../terminal.js'

type DoctorOptions = SourceOptions & { readonly json?: true }

/** `braid doctor`: checks our assumptions about the chain and every venue against a node. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .description('check venue and chain assumptions against a node')
    .action((options: DoctorOptions) => run(options, terminal))
  withJson(withNode(command))
  withExample(command, 'braid doctor --rpc $RPC --requests-per-minute 100')
}

async function run(options: DoctorOptions, terminal: Terminal): Promise<void> {
  const { client, venues } = openNode(options)
  const findings = await callNode(async () => {
    const [profile] = await probeEndpoints(client)
    if (profile) terminal.err(`the node: ${describe(profile)}`)
    const chain = await examineChain(client, { chain: ownChain(), nowMs: Date.now() })
    const onStep = trackProgress(terminal.err, 'steps')
    const { wrapped, hubs } = ownChain()
    const of = { wrappedNative: wrapped.address, hubs: [wrapped.address, ...hubs], onStep }
    return [...chain, ...(await examineVenues(client, venues, of))]
  })
  // The list of unserved deployments belongs to the built-in venues only.
  const unserved = options.venues === undefined ? ownChain().unserved : []
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
  unserved: readonly Unserved[],
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
