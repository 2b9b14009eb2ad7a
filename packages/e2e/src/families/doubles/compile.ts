import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Hex } from '@braid-swap/core'
import type { Abi } from 'viem'

const require = createRequire(import.meta.url)

/** A compiled contract. */
export type Compiled = { readonly abi: Abi; readonly bytecode: Hex }

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: {
        readonly abi: Abi
        readonly evm: { readonly bytecode: { readonly object: string } }
      }
    }
  }
}

/**
 * Compiles the contracts of a Solidity file in this folder. They are compiled when needed, because
 * they import sources from npm that we may not publish.
 */
export function compileDoubles(files: readonly string[]): Readonly<Record<string, Compiled>> {
  const solc = require('solc') as {
    compile: (
      input: string,
      options: { import: (path: string) => { readonly contents: string } },
    ) => string
  }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readSource(file) }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ contents: readSource(path) }) }),
  ) as Output
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((e) => e.formattedMessage).join('\n'))
  return Object.fromEntries(
    files.flatMap((file) =>
      Object.entries(output.contracts[file] ?? {}).map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` } as const,
      ]),
    ),
  )
}

function readSource(path: string): string {
  const file = path.startsWith('@') ? require.resolve(path) : new URL(path, import.meta.url)
  return readFileSync(file, 'utf8')
}
