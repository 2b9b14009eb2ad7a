import type { BlockTransaction } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { toEventSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { changesOf, needsValue, orderOf, tradesOf } from './changes.js'

const account = (name: number): Address => `0x${name.toString(16).padStart(40, '0')}`
const [A, B, C] = [account(0xaa), account(0xbb), account(0xcc)]
const [SENDER, ROUTER, POOL, OTHER] = [account(1), account(2), account(3), account(4)]
const WRAPPED = account(0x55)

const word = (value: bigint) => toHex(value, 32)
const log = (address: Address, kind: string, named: readonly Address[], wei: bigint) => ({
  ...{ address, topics: [toEventSelector(kind), ...named.map((one) => word(BigInt(one)))] },
  ...{ data: word(wei), blockNumber: 1n, blockHash: '0x' as Hex, logIndex: 0 },
})
const moved = (token: Address, from: Address, to: Address, wei: bigint) =>
  log(token, 'Transfer(address,address,uint256)', [from, to], wei)
const wrapped = (by: Address, wei: bigint) => log(WRAPPED, 'Deposit(address,uint256)', [by], wei)
const unwrapped = (by: Address, wei: bigint) =>
  log(WRAPPED, 'Withdrawal(address,uint256)', [by], wei)

const settled = (
  logs: BlockTransaction['logs'],
  more: Partial<BlockTransaction> = {},
): BlockTransaction => ({
  ...{ hash: '0x01', index: 0, from: SENDER, to: ROUTER, gasUsed: 1n, logs, swaps: [], ...more },
})
const read = (tx: BlockTransaction, value = 0n) =>
  orderOf(tx, changesOf(tx, WRAPPED), { wrappedNative: WRAPPED, value })

describe('the order of a transaction', () => {
  it('is what its sender sold and got, whatever the way between', () => {
    const tx = settled([
      moved(A, SENDER, ROUTER, 100n),
      moved(A, ROUTER, POOL, 95n),
      moved(A, ROUTER, SENDER, 5n),
      moved(B, POOL, ROUTER, 50n),
      moved(B, ROUTER, OTHER, 1n),
      moved(B, ROUTER, SENDER, 49n),
    ])
    const owner = SENDER
    expect(read(tx)).toEqual({ owner, tokenIn: A, tokenOut: B, amountIn: 95n, received: 49n })
  })

  it('is that of the called contract, which holds what it trades', () => {
    const tx = settled([moved(A, ROUTER, POOL, 3n), moved(B, POOL, ROUTER, 2n)])
    expect(read(tx)).toMatchObject({ owner: ROUTER, amountIn: 3n, received: 2n })
  })

  it('has the native token as its value, and as what is unwrapped', () => {
    const sold = settled([
      ...[wrapped(ROUTER, 7n), moved(WRAPPED, ROUTER, POOL, 7n), moved(B, POOL, SENDER, 2n)],
    ])
    expect(read(sold, 7n)).toMatchObject({ tokenIn: NATIVE, amountIn: 7n, received: 2n })
    const bought = settled([
      ...[moved(A, SENDER, POOL, 7n), moved(WRAPPED, POOL, ROUTER, 2n), unwrapped(ROUTER, 2n)],
    ])
    expect(read(bought)).toMatchObject({ tokenOut: NATIVE, amountIn: 7n, received: 2n })
  })

  it.each([
    ['only wraps', settled([wrapped(SENDER, 7n)]), 7n],
    ['only sends', settled([moved(A, SENDER, OTHER, 7n)]), 0n],
    [
      'buys two tokens',
      settled([moved(A, SENDER, POOL, 7n), moved(B, POOL, SENDER, 1n), moved(C, POOL, SENDER, 1n)]),
      0n,
    ],
    ['comes back', settled([moved(A, SENDER, POOL, 7n), moved(A, POOL, SENDER, 8n)]), 0n],
    ['moves no token', settled([]), 0n],
  ])('is none where it %s', (_, tx, value) => expect(read(tx, value)).toBeUndefined())

  it('needs the value only where no token was sold', () => {
    const swaps = [{ pool: POOL, emitter: POOL }]
    const need = (tx: BlockTransaction) => needsValue(tx, changesOf(tx, WRAPPED))
    expect(need(settled([moved(B, POOL, SENDER, 1n)], { swaps }))).toBe(true)
    expect(need(settled([moved(B, POOL, SENDER, 1n)]))).toBe(false)
    expect(need(settled([moved(A, SENDER, POOL, 1n)], { swaps }))).toBe(false)
  })
})

describe('the pools that took part', () => {
  const trades = (tx: BlockTransaction, known: readonly Address[] = []) =>
    tradesOf(tx, changesOf(tx, WRAPPED), (id) => known.includes(id))

  it('are those that got one token and paid another, also one that mints what it pays', () => {
    const tx = settled([
      ...[moved(A, SENDER, ROUTER, 9n), moved(A, ROUTER, POOL, 9n), moved(B, POOL, ROUTER, 8n)],
      ...[moved(B, ROUTER, C, 8n), moved(C, account(0), ROUTER, 7n), moved(C, ROUTER, SENDER, 7n)],
    ])
    expect(trades(tx)).toEqual([
      { pool: POOL, got: A, paid: B },
      { pool: C, got: B, paid: C },
    ])
  })

  it('are those of logs of swaps; a contract with two pools tells no direction of either', () => {
    const logs = [moved(A, SENDER, POOL, 9n), moved(B, POOL, SENDER, 8n)]
    const two = ['0x11', '0x12'].map((pool) => ({ pool: pool as Hex, emitter: POOL }))
    expect(trades(settled(logs, { swaps: two }))).toEqual([{ pool: '0x11' }, { pool: '0x12' }])
    const [one] = trades(settled(logs, { swaps: two.slice(0, 1) }))
    expect(one).toEqual({ pool: '0x11', got: A, paid: B })
  })

  it('are neither end, unless it is a known pool', () => {
    const tx = settled([moved(A, SENDER, ROUTER, 9n), moved(B, ROUTER, SENDER, 8n)])
    expect(trades(tx)).toEqual([])
    expect(trades(tx, [ROUTER])).toEqual([{ pool: ROUTER, got: A, paid: B }])
  })
})
