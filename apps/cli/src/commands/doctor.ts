import { existsSync } from 'node:fs'
import {
  checkVenues,
  type EndpointProfile,
  type Finding,
  hyperEvmUnserved,
  probeEndpoints,
  type Venue,
} from '@braid-swap/chain'
import { stringify } from '@braid-swap/core'
import type { Command } from 'commander'
import { REQUESTS_PER_MINUTE, withExample, withJson } from '../commandOptions.js'
import { type Examiner, examine } from '../doctor/examine.js'
import {
  addStep,
  type Report,
  type ReportStart,
  readReport,
  repairReport,
  type Step,
  type StepName,
  startReport,
} from '../doctor/report.js'
import { FileError, MismatchError, UsageError } from '../errors.js'
import { drawTable, writeJson } from '../print/output.js'
import { trackProgress } from '../progress.js'
import { openClient, venuesOf } from '../sources/marketSource.js'
import { recordNode, replayNode } from '../sources/recordedNode.js'
import type { Terminal } from '../terminal.js'

type DoctorOptions = {
  readonly rpc?: string
  readonly requestsPerMinute?: string
  readonly venues?: string
  readonly out?: string
  readonly resume?: true
  readonly from?: string
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
    .option('--out <file>', 'file to write as it goes: the findings and all that the node answered')
    .option('--resume', 'continue the interrupted examination that --out names')
    .option('--from <file>', 'examine again from such a file, without a node')
    .action((options: DoctorOptions) => run(options, terminal))
  withJson(command)
  withExample(
    command,
    'braid doctor --rpc https://rpc.hyperliquid.xyz/evm --requests-per-minute 100 --out report.json',
    'braid doctor --rpc https://rpc.hyperliquid.xyz/evm --requests-per-minute 100 --out report.json --resume',
  )
}

async function run(options: DoctorOptions, terminal: Terminal): Promise<void> {
  const { venues, areBuiltIn, profile, ...source } = await sourceOf(options)
  if (profile) terminal.err(`the node: ${describe(profile)}`)
  const onProgress = trackProgress(terminal.err, 'steps')
  const findings = await examine({ ...source, venues, onProgress })
  // The list of unserved deployments belongs to the built-in venues only.
  const unserved = areBuiltIn ? hyperEvmUnserved : []
  if (options.json) writeJson(terminal, { findings, unserved })
  else terminal.out(draw(findings, venues, unserved))
  terminal.err(conclude(findings, venues))
}

type Source = Omit<Examiner, 'onProgress'> & {
  readonly areBuiltIn: boolean
  /** What the node can do; absent if it did not say. */
  readonly profile?: EndpointProfile
}

async function sourceOf(options: DoctorOptions): Promise<Source> {
  if ((options.rpc === undefined) === (options.from === undefined)) {
    throw new UsageError('exactly one source is needed', { wanted: '--rpc URL or --from FILE' })
  }
  if (options.resume && options.out === undefined) {
    throw new UsageError('--resume needs the report to continue', { wanted: '--out FILE' })
  }
  if (options.rpc !== undefined) return nodeSource(options.rpc, options)
  if (options.venues !== undefined || options.out !== undefined) {
    throw new UsageError('a report has its own venues, and is not written again', {
      wanted: '--from FILE without --venues and --out',
    })
  }
  return recordSource(options.from!)
}

async function nodeSource(rpcUrl: string, options: DoctorOptions): Promise<Source> {
  const { out } = options
  const node = openClient(rpcUrl, options)
  const venues = venuesOf(options.venues)
  const areBuiltIn = options.venues === undefined
  const given = areBuiltIn ? null : venues
  const before = options.resume && existsSync(out!) ? readReport(out!) : undefined
  if (before && stringify(before.start.venues) !== stringify(given)) {
    throw new UsageError('the report is of other venues', {
      wanted: 'the --venues of the interrupted examination',
    })
  }
  const start = before?.start ?? (await startOf(node, given))
  if (out !== undefined) {
    if (before) repairReport(out, before)
    else startReport(out, start)
  }
  return {
    ...{ ...start, venues, areBuiltIn },
    finished: finishedIn(before),
    clientFor: (_, exchanges) => recordNode(node, exchanges, start.profile),
    onStep: (step) => {
      if (out !== undefined) addStep(out, step)
    },
  }
}

async function startOf(
  node: Parameters<typeof probeEndpoints>[0],
  venues: unknown,
): Promise<ReportStart> {
  const [profile] = await probeEndpoints(node)
  return { nowMs: Date.now(), venues, ...(profile && { profile }) }
}

function recordSource(path: string): Source {
  const report = readReport(path)
  const { nowMs, venues, profile } = report.start
  const recorded = finishedIn(report)
  return {
    ...{ nowMs, areBuiltIn: venues === null, ...(profile && { profile }) },
    venues: venues === null ? venuesOf(undefined) : checkVenues(venues),
    // Everything is examined again.
    finished: () => undefined,
    clientFor: (name) => {
      const step = recorded(name)
      if (step) return replayNode(step.exchanges, profile)
      throw new FileError(path, 'the examination was interrupted, and --resume continues it')
    },
    onStep: () => {},
  }
}

function finishedIn(report: Report | undefined): (name: StepName) => Step | undefined {
  const key = ({ step, subject }: StepName) => `${step} ${subject}`
  const steps = new Map(report?.steps.map((step) => [key(step), step]))
  return (name) => steps.get(key(name))
}

function describe({ pastState, overrides, callGas, ...limits }: EndpointProfile): string {
  const { logRange, history } = limits
  return [
    ...[`earlier state ${pastState}`, `overrides ${overrides}`, `${callGas} gas a call`],
    ...(logRange === undefined ? [] : [`${logRange} blocks of logs`]),
    history === undefined ? 'all blocks kept' : `at least ${history} blocks kept`,
  ].join(', ')
}

/** The checks that hold outputs of pools against ours. */
const HELD: ReadonlySet<string> = new Set(['pays what we quote', 'quotes of the pair itself'])

/** Says that the venues are fit to serve; throws MISMATCH if not. */
function conclude(findings: readonly Finding[], venues: readonly Venue[]): string {
  const wrong = findings.filter(({ holds }) => holds === false)
  if (wrong.length > 0) {
    throw new MismatchError('the chain differs from the assumptions', {
      got: `${wrong.length} of ${findings.length} assumptions do not hold`,
      wanted: 'all assumptions to hold',
    })
  }
  const held = new Set(
    findings.filter(({ check, holds }) => holds && HELD.has(check)).map(({ subject }) => subject),
  )
  if (held.size === 0) {
    throw new MismatchError('not fit to serve: no pool was held against the chain', {
      ...{
        got: 'no pool whose outputs could be compared',
        wanted: 'pools, and a node that runs them',
      },
    })
  }
  return `fit to serve: pools of ${held.size} of ${venues.length} venues pay what we quote`
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
