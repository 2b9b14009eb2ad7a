// Compiles Solidity when it is needed, because it imports sources from npm that we may not publish. The
// result is kept beside the packages until one of its sources changes, because the compiler takes seconds.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Address, Hex } from '@braid-swap/core'
import type { Chain } from '@braid-swap/devnet'
import { type Abi, encodeDeployData } from 'viem'

const require = createRequire(import.meta.url)

/** A compiled contract. */
export type Compiled = { readonly abi: Abi; readonly bytecode: Hex }

/** The wanted contract of each file, `*` for all of it, and the settings of the compiler. */
type Job = {
  readonly files: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, unknown>>
}

type Contracts = Readonly<Record<string, Compiled>>

/** Contracts by name, and the hashes of all sources that they were compiled from. */
type Kept = { readonly sources: Readonly<Record<string, string>>; readonly contracts: Contracts }

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Record<
    string,
    Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { object: string } } }>
  >
}

const FOLDER = new URL('../../../node_modules/.cache/braid/', import.meta.url)

/** Below the gas of a big block. */
const DEPLOY_GAS = 29_000_000n

/** Deploys a contract from the deployer. */
export async function deploy(
  chain: Pick<Chain, 'deployer' | 'execute'>,
  { abi, bytecode }: Compiled,
  args: readonly unknown[] = [],
): Promise<Address> {
  const data = encodeDeployData({ abi, bytecode, args })
  const [receipt] = await chain.execute([
    { label: 'deploy a contract', from: chain.deployer, data, gas: DEPLOY_GAS },
  ])
  return receipt!.contractAddress!.toLowerCase() as Address
}

/** Compiles all contracts of Solidity files in this folder. */
export function compileDoubles(files: readonly string[]): Contracts {
  const optimizer = { enabled: true, runs: 200 }
  return compile({
    files: Object.fromEntries(files.map((file) => [file, '*'])),
    settings: { evmVersion: 'cancun', optimizer },
  })
}

/** The contracts of a job by name, compiled now or in an earlier run with the same sources. */
export function compile(job: Job): Contracts {
  const { version } = require('solc/package.json') as { readonly version: string }
  const name = `solidity-${hashOf(JSON.stringify([version, job])).slice(0, 16)}.json`
  const file = new URL(name, FOLDER)
  const kept = read(file)
  if (kept) return kept.contracts
  const made = make(job)
  mkdirSync(FOLDER, { recursive: true })
  // Renamed when it is whole, because two test files may compile at once.
  const part = new URL(`${name}.${process.pid}`, FOLDER)
  writeFileSync(part, JSON.stringify(made))
  renameSync(part, file)
  return made.contracts
}

/** An earlier result, if its sources are the same now. */
function read(file: URL): Kept | undefined {
  try {
    const kept: Kept = JSON.parse(readFileSync(file, 'utf8'))
    const isSame = ([path, hash]: readonly [string, string]) => hashOf(readSource(path)) === hash
    return Object.entries(kept.sources).every(isSame) ? kept : undefined
  } catch {
    return undefined
  }
}

function make({ files, settings }: Job): Kept {
  const solc = require('solc') as {
    compile: (
      input: string,
      options: { import: (path: string) => { readonly contents: string } },
    ) => string
  }
  const sources: Record<string, string> = {}
  const contents = (path: string) => {
    const source = readSource(path)
    sources[path] = hashOf(source)
    return source
  }
  const wanted = ['abi', 'evm.bytecode.object']
  const outputSelection = Object.fromEntries(
    Object.entries(files).map(([file, name]) => [file, { [name]: wanted }]),
  )
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.keys(files).map((file) => [file, { content: contents(file) }]),
    ),
    settings: { ...settings, outputSelection },
  }
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ contents: contents(path) }) }),
  )
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((e) => e.formattedMessage).join('\n'))
  const contracts = Object.keys(files).flatMap((file) =>
    Object.entries(output.contracts[file] ?? {}).map(([name, { abi, evm }]) => {
      return [name, { abi, bytecode: `0x${evm.bytecode.object}` } satisfies Compiled] as const
    }),
  )
  return { sources, contracts: Object.fromEntries(contracts) }
}

const OPEN_ZEPPELIN = '@uniswap/v4-core/lib/openzeppelin-contracts/contracts/'

function readSource(path: string): string {
  const known = path.replace('@openzeppelin/contracts/', OPEN_ZEPPELIN)
  const file = known.startsWith('@') ? require.resolve(known) : new URL(known, import.meta.url)
  return readFileSync(file, 'utf8')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
