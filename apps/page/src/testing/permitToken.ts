import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Hex } from '@braid-swap/core'

const require = createRequire(import.meta.url)
const own = new URL('PermitToken.sol', import.meta.url)
const base = new URL('../../../../packages/contracts/src/testing/TestToken.sol', import.meta.url)

/** The runtime code of the devnet's token with permits; compiled here, as only one test needs it. */
export function compilePermitToken(): Hex {
  const solc = require('solc') as { compile: (input: string) => string }
  const sources = {
    'PermitToken.sol': { content: readFileSync(own, 'utf8') },
    'TestToken.sol': { content: readFileSync(base, 'utf8') },
  }
  const outputSelection = { 'PermitToken.sol': { PermitToken: ['evm.deployedBytecode.object'] } }
  const settings = { evmVersion: 'cancun', outputSelection }
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
  )
  const errors = (output.errors ?? []) as readonly { readonly severity: string }[]
  if (errors.some(({ severity }) => severity === 'error')) throw new Error(JSON.stringify(errors))
  return `0x${output.contracts['PermitToken.sol'].PermitToken.evm.deployedBytecode.object}`
}
