import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, NATIVE, toHex } from '../hex.js'
import { isBurnAddress, receiverFault } from './receiver.js'

const TOKEN_IN = toHex(0xa1, 20)
const TOKEN_OUT = toHex(0xb2, 20)
const ROUTER = toHex(0xc3, 20)
const EXECUTOR = toHex(0xd4, 20)
const WHYPE: Address = '0x5555555555555555555555555555555555555555'
const context = {
  ...{ tokenIn: TOKEN_IN, tokenOut: TOKEN_OUT, wrappedNative: WHYPE },
  ...{ router: ROUTER, executors: [EXECUTOR] },
  systemAddresses: (
    [
      ['2'.repeat(40), '2'.repeat(40)],
      ['3'.repeat(40), '3'.repeat(40)],
      [`20${'0'.repeat(38)}`, `20${'0'.repeat(22)}${'f'.repeat(16)}`],
    ] as const
  ).map(([from, to]) => ({ from: `0x${from}`, to: `0x${to}`, why: 'it is of HyperCore' }) as const),
}
const tokenSystemAddress = (index: bigint) => toHex((0x20n << 152n) + index, 20)

describe('a receiver', () => {
  it.each<readonly [string, Address]>([
    ['the zero address', toHex(0, 20)],
    ['the native placeholder', NATIVE],
    ['the native placeholder in capitals', `0x${'E'.repeat(40)}`],
    ['the token out', TOKEN_OUT],
    ['the token in', TOKEN_IN],
    ['the wrapped native token', WHYPE],
    ['the router', ROUTER],
    ['the executor', EXECUTOR],
    ['the system address of HYPE', `0x${'2'.repeat(40)}`],
    ['the contract that writes to HyperCore', `0x${'3'.repeat(40)}`],
    ['the system address of token 0', '0x2000000000000000000000000000000000000000'],
    ['the system address of token 200', '0x20000000000000000000000000000000000000c8'],
    ['the system address of the last token', tokenSystemAddress((1n << 64n) - 1n)],
  ])('that is %s is rejected', (_, receiver) => {
    expect(receiverFault(receiver, context)).toMatch(/^it is /)
  })

  it('is rejected if it is the system address of any token index', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (index) => {
        expect(receiverFault(tokenSystemAddress(index), context)).toContain('HyperCore')
      }),
    )
  })

  it('that is a wallet is accepted, even if it begins with 0x20', () => {
    const wallet = fc.bigInt({ min: 1n << 64n, max: (1n << 160n) - 1n }).map((n) => toHex(n, 20))
    const special = new Set<Address>([NATIVE, WHYPE, toHex(BigInt(`0x${'2'.repeat(40)}`), 20)])
    fc.assert(
      fc.property(wallet, (receiver) => {
        fc.pre(!special.has(receiver) && !/^0x(200{22}|3{40})/.test(receiver))
        expect(receiverFault(receiver, context)).toBeUndefined()
      }),
    )
    expect(receiverFault('0x207ccae51ad2e1c240c4ab4c94b670d438d2201c', context)).toBeUndefined()
  })

  it('that is a burn address is accepted, and detected for a warning', () => {
    const dead: Address = '0x000000000000000000000000000000000000dEaD'
    expect(receiverFault(dead, context)).toBeUndefined()
    expect(isBurnAddress(dead)).toBe(true)
    expect(isBurnAddress(WHYPE)).toBe(false)
  })

  it('is checked without router and executor if they are not known', () => {
    const { router: _, executors: __, ...known } = context
    expect(receiverFault(ROUTER, known)).toBeUndefined()
    expect(receiverFault(TOKEN_OUT, known)).toBeDefined()
  })
})
