import { readFileSync } from 'node:fs'
import { RefusedError } from '@braid-swap/client'
import { BaseError } from '@braid-swap/core'
import { NodeFailedError, stringify } from '@braid-swap/core/advanced'
import { Command, CommanderError } from 'commander'
import { refuseRepeats } from './commandOptions.js'
import { addApprove } from './commands/approve.js'
import { addCheck } from './commands/check.js'
import { addCompare } from './commands/compare.js'
import { addCurve } from './commands/curve.js'
import { addDoctor } from './commands/doctor.js'
import { addEvidence } from './commands/evidence.js'
import { addHindsight } from './commands/hindsight.js'
import { addMcp } from './commands/mcp.js'
import { addExplain, addQuote } from './commands/quote.js'
import { addSimulate } from './commands/simulate.js'
import { addSnapshot } from './commands/snapshot.js'
import { addSwap } from './commands/swap.js'
import { addVerify } from './commands/verify.js'
import { NoQuotesError, UsageError } from './errors.js'
import { exitCodeHelp, exitCodeOf } from './exitCodes.js'
import { useChain } from './ownChain.js'
import { plainText, type Terminal, withoutControls } from './terminal.js'

/**
 * Runs one command line, given without the program's own name, and returns the exit code.
 *
 * @example process.exitCode = await runProgram(process.argv.slice(2), processTerminal())
 */
export async function runProgram(words: readonly string[], shown: Terminal): Promise<number> {
  const terminal = withoutControls(shown)
  const asJson = words.includes('--json')
  try {
    useChain(terminal.env)
    await createProgram(terminal, asJson).parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    if (!(error instanceof CommanderError)) terminal.err(asJson ? jsonOf(error) : textOf(error))
    else if (asJson && error.exitCode !== 0) terminal.err(jsonOf(usageOf(error)))
    return exitCodeOf(error)
  }
}

/** What the option parser refuses, as an error like all others. */
function usageOf({ message }: CommanderError): UsageError {
  return new UsageError(message.replace(/^error: /, ''), { wanted: '--help for what is accepted' })
}

function createProgram(terminal: Terminal, asJson: boolean): Command {
  const withoutEnd = (text: string) => text.replace(/\n$/, '')
  const program = new Command('braid')
    .description('Swap quotes and transactions over many pools, from the terminal.')
    .version(version())
    .exitOverride()
    // Words after the name of a command belong to the command.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for what is accepted)')
    .configureOutput({
      writeOut: (text) => terminal.out(withoutEnd(text)),
      // With --json, an error is one JSON document.
      writeErr: (text) => void (asJson || terminal.err(withoutEnd(text))),
    })
    .addHelpText('after', `\n${exitCodeHelp}`)
  const quotes = [addQuote, addExplain, addCurve, addCompare, addSimulate]
  const sending = [addSwap, addApprove, addVerify, addEvidence, addCheck]
  const others = [...sending, addSnapshot, addDoctor, addHindsight]
  for (const addCommand of [...quotes, ...others]) addCommand(program, terminal)
  addMcp(program, terminal, runProgram)
  refuseRepeats(program)
  return program
}

function textOf(error: unknown): string {
  if (!(error instanceof BaseError)) {
    return `error: a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
  const { got, wanted = openedBy(error), ...others } = error.details
  const lines = [
    `error: ${error.message} (${error.code})`,
    ...(got === undefined ? [] : [`  got     ${got}`]),
    ...(wanted === undefined ? [] : [`  wanted  ${wanted}`]),
    ...Object.entries(others).map(([name, value]) => `  ${name}  ${value}`),
  ]
  return lines.map((line) => line.replace(/[^ ].*/s, plainText)).join('\n')
}

/** What opens the way that an API's refusal names, as an option of this program. */
function openedBy({ code, details }: BaseError): string | undefined {
  const passed = `${details['onlyIntermediates'] ?? ''}`
  if (code !== 'ROUTE_UNTRUSTED' || passed === '') return undefined
  return `--only-intermediates ${passed}, if you trust them`
}

function jsonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return textOf(error)
  const { code, message, details } = error
  const saidBy = STRANGERS.find(([kind]) => error instanceof kind)?.[1]
  return stringify({ error: { code, message, details: { ...details, ...(saidBy && { saidBy }) } } })
}

/** Errors in a stranger's words: who reads JSON may be a program that obeys sentences. */
const STRANGERS = [
  [RefusedError, 'the API'],
  [NoQuotesError, 'the API'],
  [NodeFailedError, 'the node'],
] as const

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
