import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { POOL_REGISTERED, SWAP, VAULT_PAUSED } from '../pools/balancerV3/abi.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import type { Log } from '../reads/log.js'
import { withSubjects } from './logSubjects.js'

const [VAULT, ONE, TWO, PAIR] = [0xf, 0xa1, 0xa2, 0xa3].map((n): Address => toHex(n, 20)) as [
  ...[Address, Address, Address, Address],
]
const venues: readonly Venue[] = [
  { id: 'vault', family: 'balancerV3', factory: VAULT },
  { id: 'pairs', family: 'uniswapV2', factory: toHex(0xe, 20) },
]
const refOf = (id: Address, { id: venue, family }: Venue): PoolRef => ({
  ...{ id, family, venue, tokens: [toHex(1, 20), toHex(2, 20)] },
})
const refs = new Map(
  [refOf(ONE, venues[0]!), refOf(TWO, venues[0]!), refOf(PAIR, venues[1]!)].map((ref) => [
    ref.id,
    ref,
  ]),
)
const logOf = (address: Address, ...topics: readonly Hex[]): Log =>
  ({ address, topics, data: '0x', blockNumber: 7n }) as unknown as Log
const addressesOf = (log: Log) =>
  withSubjects([log], { venues, refs }).map(({ address }) => address)

describe('the logs of a contract that keeps all pools of a venue', () => {
  it('are those of the pool that they name', () => {
    expect(addressesOf(logOf(VAULT, SWAP, toHex(BigInt(TWO), 32)))).toEqual([TWO])
  })

  it('are one of each pool of the venue if they are about all', () => {
    expect(addressesOf(logOf(VAULT, VAULT_PAUSED))).toEqual([ONE, TWO])
  })

  it('stay as they are if they create a pool, or come from another contract', () => {
    expect(addressesOf(logOf(VAULT, POOL_REGISTERED, toHex(BigInt(TWO), 32)))).toEqual([VAULT])
    expect(addressesOf(logOf(PAIR, SWAP, toHex(BigInt(TWO), 32)))).toEqual([PAIR])
    expect(addressesOf(logOf(toHex(0xe, 20), SWAP, toHex(BigInt(TWO), 32)))).toEqual([
      toHex(0xe, 20),
    ])
  })
})
