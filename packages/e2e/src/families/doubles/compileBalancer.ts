// Compiles Balancer V3 from the sources of its packages, unmodified. Nobody publishes its bytecode.
// The result is kept beside the packages, because it takes some seconds.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Compiled } from './compile.js'

const require = createRequire(import.meta.url)

/** The contracts that the tests deploy, by file. */
const FILES = {
  '@balancer-labs/v3-vault/contracts/Vault.sol': 'Vault',
  '@balancer-labs/v3-vault/contracts/VaultExtension.sol': 'VaultExtension',
  '@balancer-labs/v3-vault/contracts/VaultAdmin.sol': 'VaultAdmin',
  '@balancer-labs/v3-vault/contracts/ProtocolFeeController.sol': 'ProtocolFeeController',
  '@balancer-labs/v3-pool-weighted/contracts/WeightedPool.sol': 'WeightedPool',
  '@balancer-labs/v3-pool-stable/contracts/StablePool.sol': 'StablePool',
} as const

/** The name of such a contract. */
export type BalancerContract = (typeof FILES)[keyof typeof FILES]

type Set = Readonly<Record<BalancerContract, Compiled>>

// Without optimisation it takes a tenth of the time, and every number is the same.
const SETTINGS = { evmVersion: 'cancun', optimizer: { enabled: false } }
const FOLDER = new URL('../../../node_modules/.cache/braid/', import.meta.url)

/** Every contract, compiled now or in an earlier run with the same packages. */
export function compileBalancer(): Set {
  const versions = Object.keys(FILES).map((file) => readFileSync(require.resolve(file), 'utf8'))
  const solc = require('solc') as { version: () => string }
  const key = JSON.stringify([solc.version(), SETTINGS, versions])
  const name = `balancer-${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`
  const file = new URL(name, FOLDER)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const made = compile()
    mkdirSync(FOLDER, { recursive: true })
    // Renamed when it is whole: two test files may compile at once.
    const part = new URL(`${name}.${process.pid}`, FOLDER)
    writeFileSync(part, JSON.stringify(made))
    renameSync(part, file)
    return made
  }
}

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Record<string, Record<string, CompiledByName>>
}

type CompiledByName = {
  readonly abi: Compiled['abi']
  readonly evm: { readonly bytecode: { readonly object: string } }
}

function compile(): Set {
  const solc = require('solc') as {
    compile: (
      input: string,
      options: { import: (path: string) => { readonly contents: string } },
    ) => string
  }
  const wanted = ['abi', 'evm.bytecode.object']
  const outputSelection = Object.fromEntries(
    Object.entries(FILES).map(([file, name]) => [file, { [name]: wanted }]),
  )
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.keys(FILES).map((file) => [file, { content: readSource(file) }]),
    ),
    settings: { ...SETTINGS, outputSelection },
  }
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ contents: readSource(path) }) }),
  )
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((e) => e.formattedMessage).join('\n'))
  const all = Object.entries(FILES).map(([file, name]) => {
    const { abi, evm } = output.contracts[file]![name]!
    return [name, { abi, bytecode: `0x${evm.bytecode.object}` } satisfies Compiled] as const
  })
  return Object.fromEntries(all) as Set
}

const OPEN_ZEPPELIN = '@uniswap/v4-core/lib/openzeppelin-contracts/contracts/'

function readSource(path: string): string {
  const file = path.replace('@openzeppelin/contracts/', OPEN_ZEPPELIN)
  return readFileSync(require.resolve(file), 'utf8')
}
