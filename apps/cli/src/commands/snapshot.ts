import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Snapshot, stringifySnapshot } from '@braid-swap/core'
import type { Command } from 'commander'
import { withExample } from '../commandOptions.js'
import { FileError, UsageError } from '../errors.js'
import { apiOf } from '../sources/apiClient.js'
import { loadMarket, requirePools, type SourceOptions } from '../sources/marketSource.js'
import { type ListedToken, readTokenFile } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'

type SnapshotOptions = Omit<SourceOptions, 'snapshot'> & {
  readonly out: string
  readonly id?: string
}

/** `braid snapshot`: saves a whole market as a file, and the names of its tokens beside it. */
export function addSnapshot(program: Command, terminal: Terminal): void {
  const command = program
    .command('snapshot')
    .description('save a whole market as a file, with `tokens.json` beside it')
    .requiredOption('--out <file>', 'file to write')
    .option('--rpc <url>', 'a node to read the market from')
    .option('--api <url>', 'an API to get the market from')
    .option('--key <key>', 'key of the API (default: BRAID_API_KEY)')
    .option('--id <id>', '`snapshotId` of a recent quote, to get its state')
    .option('--venues <file>', 'venues to read, as JSON (default: HyperEVM’s)')
    .option('--tokens <file>', 'token symbols, as JSON (default: read from the source)')
    .action(async (options: SnapshotOptions) => {
      const { snapshot, tokens } = await take(options, terminal)
      requirePools(snapshot)
      writeFiles(options.out, snapshot, tokens)
      const { pools, block } = snapshot
      terminal.out(`${options.out}: ${pools.length} pools at block ${block.number}`)
    })
  withExample(command, 'braid snapshot --rpc http://127.0.0.1:8545 --out market.json')
}

async function take(options: SnapshotOptions, terminal: Terminal) {
  if ((options.rpc === undefined) === (options.api === undefined)) {
    throw new UsageError('exactly one source of the market is needed', {
      wanted: '--rpc URL or --api URL',
    })
  }
  if (options.rpc !== undefined && options.id !== undefined) {
    throw new UsageError('a node does not store the state of a quote', {
      wanted: '--id with --api URL',
    })
  }
  if (options.rpc !== undefined) return loadMarket(options.rpc, options, terminal)
  const api = apiOf(options, terminal)
  const snapshot = await api.snapshot(options.id === undefined ? {} : { snapshotId: options.id })
  if (options.tokens) return { snapshot, tokens: readTokenFile(options.tokens) }
  terminal.err(`reading the names of ${snapshot.tokens.length} tokens`)
  return { snapshot, tokens: await api.allTokens() }
}

function writeFiles(out: string, snapshot: Snapshot, tokens: readonly ListedToken[]): void {
  const named = tokens
    .filter(({ symbol }) => symbol !== '')
    .map(({ address, symbol, name, decimals }) => ({ address, symbol, name, decimals }))
  try {
    mkdirSync(dirname(out), { recursive: true })
    writeFileSync(out, `${stringifySnapshot(snapshot)}\n`)
    const list = named.map((token) => `  ${JSON.stringify(token)}`).join(',\n')
    writeFileSync(join(dirname(out), 'tokens.json'), `[\n${list}\n]\n`)
  } catch (cause) {
    throw new FileError(out, 'cannot be written', cause)
  }
}
