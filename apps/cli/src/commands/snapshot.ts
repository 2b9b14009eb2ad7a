import { readSnapshot } from '@braid-swap/client/snapshot'
import type { Command } from 'commander'
import { withExample, withNode } from '../commandOptions.js'
import { UsageError } from '../errors.js'
import { apiOf } from '../sources/apiClient.js'
import { loadMarket, requirePools, type SourceOptions } from '../sources/marketSource.js'
import { readTokenFile } from '../sources/tokens.js'
import { writeMarket } from '../sources/writeMarket.js'
import type { Terminal } from '../terminal.js'
import { addSnapshotInfo } from './snapshotInfo.js'

type SnapshotOptions = Omit<SourceOptions, 'snapshot'> & {
  readonly out?: string
  readonly id?: string
}

/** `braid snapshot`: saves a whole market as a file, and the names of its tokens beside it. */
export function addSnapshot(program: Command, terminal: Terminal): void {
  const command = program
    .command('snapshot')
    .description('save a whole market as a file, with `tokens.json` beside it')
    // `snapshot info` has a `--tokens` of its own.
    .enablePositionalOptions()
    .option('--out <file>', 'file to write')
    .option('--api <url>', 'an API to get the market from')
    .option('--key <key>', 'key of the API (default: BRAID_API_KEY)')
    .option('--id <id>', '`snapshotId` of a recent quote, to get its state')
    .option('--tokens <file>', 'token symbols, as JSON (default: read from the source)')
    .action(async ({ out, ...options }: SnapshotOptions) => {
      if (out === undefined) throw new UsageError('--out is missing', { wanted: '--out FILE' })
      const { snapshot, tokens } = await take(options, terminal)
      requirePools(snapshot)
      writeMarket(out, snapshot, tokens)
      const { pools, block } = snapshot
      terminal.out(`${out}: ${pools.length} pools at block ${block.number}`)
    })
  withNode(command, 'a node to read the market from')
  withExample(command, 'braid snapshot --rpc http://127.0.0.1:8545 --out market.json')
  addSnapshotInfo(command, terminal)
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
  const snapshot = await readSnapshot(
    api,
    options.id === undefined ? {} : { snapshotId: options.id },
  )
  if (options.tokens) return { snapshot, tokens: readTokenFile(options.tokens) }
  terminal.err(`reading the names of ${snapshot.tokens.length} tokens`)
  return { snapshot, tokens: await api.allTokens() }
}
