import { isSettledProved, isSettledTied } from '@braid-swap/chain'
import { BaseError, decodeRouterCall, type Hex } from '@braid-swap/core'
import {
  type Check,
  checkEvidence,
  type Evidence,
  leftOut,
  parseEvidence,
  type Settled,
  swapIn,
  verdictOf,
} from '@braid-swap/core/advanced'
import type { Command } from 'commander'
import { withExample, withJson } from '../commandOptions.js'
import { MismatchError } from '../errors.js'
import { ownChain } from '../ownChain.js'
import { drawPairs, drawTable, fitWidth, writeJson } from '../print/output.js'
import { readTextOrInput } from '../sources/files.js'
import { knownRouter } from '../swap/router.js'
import type { Terminal } from '../terminal.js'

type CheckOptions = { readonly router?: string; readonly json?: true }

/** `braid check`: verifies evidence offline, and says what does not fit together in it. */
export function addCheck(program: Command, terminal: Terminal): void {
  const command = program
    .command('check')
    .argument('<file>', 'evidence as `braid evidence` writes it, or - for standard input')
    .description('check the evidence of a swap, offline')
    .option('--router <address>', 'the router (default: the published one)')
    .action((file: string, options: CheckOptions) => run(file, options, terminal))
  withJson(command)
  withExample(command, 'braid check evidence.json')
}

async function run(
  file: string,
  { router, json }: CheckOptions,
  terminal: Terminal,
): Promise<void> {
  const text = readTextOrInput(file, terminal.input, 'evidence piped in: `… | braid check -`')
  const evidence = parseEvidence(text)
  const { call, settled, snapshot, amountOut, bound } = evidence
  const known = knownRouter(router)
  const checks = [
    ...checkEvidence(evidence),
    sameAs('wrapped native token', snapshot.wrappedNative, [ownChain().wrapped.address]),
    ...(call ? [sameAs('router', call.to, [known.router])] : []),
    ...(call ? [sameAs('executor', executorIn(call.data), known.executors)] : []),
    ...(settled?.proof ? [ledTo('receipt: proof', settled, await isSettledProved(settled))] : []),
    ...(settled?.transactionProof
      ? [ledTo('transaction: proof', settled, await isSettledTied(settled))]
      : []),
  ]
  const verdict = verdictOf(evidence)
  const isProved = settled ? settled.proof !== undefined : null
  const isTied = settled ? settled.transactionProof !== undefined : null
  const uncovered = leftOut(evidence)
  const figures = { verdict, isProved, isTied, amountOut, bound: bound.amount, uncovered }
  if (json) writeJson(terminal, { ...figures, checks })
  else terminal.out(fitWidth(draw(evidence, checks), terminal))
  const wrong = checks.filter(({ isOk }) => !isOk).map(({ name }) => name)
  if (wrong.length > 0) {
    throw new MismatchError('this evidence does not fit together', { wrong: wrong.join(', ') })
  }
}

const sameAs = (name: string, got: string, wanted: readonly string[]) => ({
  ...{ name, got, wanted: wanted.join(' or '), isOk: wanted.includes(got) },
})

/** The executor that calldata names; a text if it is none of the router's. */
function executorIn(data: Hex): string {
  try {
    return decodeRouterCall(data).executor
  } catch (error) {
    if (error instanceof BaseError) return error.message
    throw error
  }
}

function ledTo(name: string, { block }: Settled, isOk: boolean): Check {
  const wanted = `in block ${block.hash}`
  return { name, got: isOk ? wanted : 'nodes that do not lead there', wanted, isOk }
}

/** What ties a receipt to its block and to its transaction. */
function tiesOf({ proof, transactionProof }: Settled): string {
  const tie = transactionProof ? 'that of this transaction' : 'not tied to this transaction'
  return `${proof ? 'proved' : 'unproved'}, ${tie}`
}

function draw(evidence: Evidence, checks: readonly Check[]): string {
  const { settled, amountOut, bound, offers } = evidence
  const paid = settled && swapIn(settled)
  const [best] = offers
  // What is as it should be needs no second column.
  const rows = checks.map(({ name, got, wanted, isOk }) =>
    isOk ? ['ok', name, short(got), ''] : ['WRONG', name, short(got), short(wanted)],
  )
  const pairs: (readonly [string, string])[] = [
    ['verdict', verdictOf(evidence)],
    ...(settled ? [['receipt', tiesOf(settled)] as const] : []),
    ['quoted', `${amountOut}`],
    ...(paid ? [['received', `${paid.amountOut}`] as const] : []),
    ['no route', `pays more than ${bound.amount}${bound.gasCost > 0 ? ', net of its gas' : ''}`],
    ...(best ? [['alone', `${best.amountOut} by ${best.by}`] as const] : []),
    ...leftOut(evidence).map((one) => ['bound without', one] as const),
  ]
  return `${drawTable(['', 'checked', 'found', 'wanted'], rows)}\n\n${drawPairs(pairs)}`
}

/** Most letters of a value that is shown whole; calldata and long routes are not. */
const MOST = 70
const short = (text: string) => (text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`)
