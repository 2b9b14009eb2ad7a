import { createClient, loadSnapshot } from '@braid-swap/chain'
import {
  type Address,
  encodeProgram,
  encodeRouterCall,
  type Hex,
  NATIVE,
  type Pool,
  type ProgramEnds,
  toHex,
} from '@braid-swap/core'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../testing/runCli.js'

// Each of these programs decodes but reverts on the chain. `verify` must refuse it, because the router
// must accept every program that `verify` passes.

let devnet: Devnet
let ends: ProgramEnds
let pair: Pool
let pool: Pool

beforeAll(async () => {
  devnet = await borrowDevnet()
  const { venues, wrappedNative, rpcUrl } = devnet
  const { snapshot } = await loadSnapshot(createClient(rpcUrl), { venues, wrappedNative })
  const usdc = devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  ends = { tokenIn: wrappedNative, tokenOut: usdc }
  const between = (family: Pool['family']) =>
    snapshot.pools.find(
      (one) =>
        one.family === family && one.tokens.includes(usdc) && one.tokens.includes(wrappedNative),
    )!
  pair = between('uniswapV2')
  pool = between('uniswapV3')
})
afterAll(() => devnet?.stop())

const hopOf = (of: Pool) => {
  const isUp = of.tokens[0] === ends.tokenIn
  return { pool: of, direction: isUp ? { in: 0, out: 1 } : { in: 1, out: 0 }, share: 0 }
}
const program = (of: Pool) => encodeProgram([hopOf(of)], ends)
/** The program with its byte at `index` from the end replaced. */
const withByte = (bytes: Hex, index: number, change: (byte: number) => number): Hex => {
  const at = bytes.length + 2 * index
  const byte = change(Number.parseInt(bytes.slice(at, at + 2), 16))
  return `${bytes.slice(0, at)}${toHex(byte, 1).slice(2)}${bytes.slice(at + 2)}` as Hex
}
const word = (address: Address) => address.slice(2)

const calldataOf = (bytes: Hex) =>
  encodeRouterCall({
    ...{ tokenIn: NATIVE, amountIn: 10n ** 18n, tokenOut: ends.tokenOut, minAmountOut: 2n },
    ...{ receiver: toHex(0, 20), deadline: 1_700_050_000n, program: bytes },
  })
const ask = (bytes: Hex) =>
  devnet.client.call({
    ...{ account: devnet.wallet.address, to: devnet.router, value: 10n ** 18n },
    data: calldataOf(bytes),
  })
const verify = (bytes: Hex) => runCli(['verify', '--calldata', calldataOf(bytes)])

describe('a program', () => {
  it('that is valid is accepted by the chain and by verify', async () => {
    for (const of of [pair, pool]) {
      expect(BigInt((await ask(program(of))).data!)).toBeGreaterThan(1_000_000n)
      expect((await verify(program(of))).code).toBe(0)
    }
  })

  it.each<readonly [string, () => Hex]>([
    ['a flag of 2', () => withByte(program(pool), -1, () => 2)],
    ['the other side of a V3 pool', () => withByte(program(pool), -1, (flag) => 1 - flag)],
    ['the other side of a pair', () => withByte(program(pair), -4, (flag) => 1 - flag)],
    ['a fee of everything', () => `${program(pair).slice(0, -6)}0f4240` as Hex],
    ['a hop to the same token', () => withByte(program(pool), -26, () => 0)],
    [
      'the same token under two indices',
      () => `0x01${word(ends.tokenIn)}0002000000${program(pool).slice(14)}` as Hex,
    ],
    [
      'the native token in its table',
      () =>
        `0x01${word(NATIVE)}0002000000${program(pool).slice(14)}0201000000${program(pool).slice(14)}` as Hex,
    ],
    ['no pool', () => program(pool).replace(word(pool.id), '00'.repeat(20)) as Hex],
    ['a token as pool', () => program(pool).replace(word(pool.id), word(ends.tokenOut)) as Hex],
    ['a vault that is none', () => `0x00000100000004${word(pool.id)}00`],
    ['half of it left over', () => withByte(program(pool), -25, () => 0x7f)],
    ['no hops', () => '0x00'],
    ['an opcode of none', () => withByte(program(pool), -22, () => 0x7f)],
    ['its last byte cut off', () => program(pool).slice(0, -2) as Hex],
  ])('with %s is refused by the chain and by verify', async (_, malformed) => {
    await expect(ask(malformed())).rejects.toThrow()
    const { code, err } = await verify(malformed())
    expect([2, 5]).toContain(code)
    expect(err).toMatch(/MISMATCH|BAD_PROGRAM/)
  })
})
