// Checks the assumptions about the chain itself, for `braid doctor`.

import type { Address } from '@braid-swap/core'
import type { ChainRecord } from '../chains/chainRecord.js'
import type { Finding } from '../pools/check.js'
import { type Header, readHeader } from '../reads/headers.js'
import { multicallOf } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { isExecutionFailure } from '../transport/rpcErrors.js'
import { codeFinding } from './codeFinding.js'

/** Headers asked for at once while a big block is looked for. */
const AT_ONCE = 10

/** If the newest block is older, the node lags or the chain has halted. */
const MAX_HEAD_AGE_SECONDS = 60

/**
 * Checks the assumptions about the chain itself. `nowMs`: unix milliseconds on this process's clock. Asks for
 * as many headers as one block of each kind is among. Throws what the node throws.
 */
export async function examineChain(
  client: Client,
  { chain, nowMs }: { readonly chain: ChainRecord; readonly nowMs: number },
): Promise<readonly Finding[]> {
  const chainId = Number(await client.request({ method: 'eth_chainId' }))
  const head = await readHeader(client, 'latest')
  const [usual, rare] = chain.blocks
  const among = rare ? Math.round(rare.everyMs / usual!.everyMs) : 1
  const [least, most] = await gasLimits(client, { head, among: BigInt(among) })
  const age = Math.round(nowMs / 1000) - Number(head.timestamp)
  const finding = (check: string, found: string, assumed: string, holds?: boolean): Finding => ({
    ...{ subject: 'chain', check, found, assumed },
    ...(holds !== undefined && { holds }),
  })
  const { id } = client.chain
  return [
    finding('chain id', `${chainId}`, `${id}`, chainId === id),
    finding(
      'age of the newest block',
      `${age} s`,
      `at most ${MAX_HEAD_AGE_SECONDS} s`,
      age <= MAX_HEAD_AGE_SECONDS,
    ),
    finding(
      `gas limit of a ${usual!.name} block`,
      `${least}`,
      `at least ${usual!.gasLimit}`,
      least >= BigInt(usual!.gasLimit),
    ),
    ...(rare
      ? [
          most > least
            ? finding(
                `gas limit of a ${rare.name} block`,
                `${most}`,
                `more than of a ${usual!.name} one`,
                true,
              )
            : finding(
                `gas limit of a ${rare.name} block`,
                `none in ${among} blocks`,
                `one in ${rare.everyMs / 1_000} s`,
              ),
        ]
      : []),
    await codeFinding(client, multicallOf(client), { subject: 'chain', check: 'Multicall3' }),
    ...(await wrappedFindings(client, chain.wrapped.address)),
  ]
}

/** `deposit()` of a wrapped native token. */
const DEPOSIT = '0xd0e30db0'

/** Whether there is a contract at the wrapped native token's address, and whether it takes a deposit: of nothing. */
async function wrappedFindings(client: Client, address: Address): Promise<readonly Finding[]> {
  const of = { subject: 'chain', check: 'wrapped native token' }
  const code = await codeFinding(client, address, of)
  if (code.holds === false) return [code]
  const takes = await client.call({ to: address, data: DEPOSIT }).then(
    () => true,
    (error: unknown) => {
      if (isExecutionFailure(error)) return false
      throw error
    },
  )
  const found = takes ? 'takes a deposit' : 'refuses a deposit'
  return [
    code,
    { ...of, check: `${of.check}, deposit()`, found, assumed: 'takes a deposit', holds: takes },
  ]
}

/** The least and the most gas limit of the newest blocks, as soon as they differ. */
async function gasLimits(
  client: Client,
  { head, among }: { readonly head: Header; readonly among: bigint },
): Promise<readonly [least: bigint, most: bigint]> {
  let [least, most] = [head.gasLimit, head.gasLimit]
  for (let back = 1n; back < among && least === most; back += BigInt(AT_ONCE)) {
    const numbers = Array.from({ length: AT_ONCE }, (_, i) => head.number - back - BigInt(i))
    const asked = numbers.filter((number) => number >= 0n)
    // Some blocks are missing for ever.
    const headers = await Promise.allSettled(asked.map((number) => readHeader(client, number)))
    for (const one of headers) {
      if (one.status === 'rejected') continue
      const { gasLimit } = one.value
      if (gasLimit < least) least = gasLimit
      if (gasLimit > most) most = gasLimit
    }
  }
  return [least, most]
}
