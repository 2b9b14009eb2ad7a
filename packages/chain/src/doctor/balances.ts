import type { Address } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { callData, wordAt } from '../reads/abiWords.js'
import type { Header } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'

const BALANCE_OF = toFunctionSelector('function balanceOf(address)')

/** Balances of tokens, in wei; 0 where a token does not answer. */
export async function readBalances(
  client: Client,
  at: Pick<Header, 'number' | 'hash'>,
  of: readonly { readonly token: Address; readonly holder: Address }[],
): Promise<readonly bigint[]> {
  const read = createReader(client, at)
  const answers = await read(
    of.map(({ token, holder }) => ({ to: token, data: callData(BALANCE_OF, BigInt(holder)) })),
  )
  return answers.map(({ success, data }) => (success && data.length >= 66 ? wordAt(data, 0) : 0n))
}
