// A name or an amount in braces stands for an address or an integer, so that requests can be read: `{USDC}`, `{10e18}`.
import { ISLAND, PURR, REEF, TEST_ROUTER, UBTC, USDC, WHYPE } from '@braid-swap/api/testing'
import { NATIVE } from '@braid-swap/core'

/** Hardhat's and anvil's first account, which holds native tokens and nothing else. */
const RICH = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const names: Readonly<Record<string, string>> = {
  ...{ HYPE: NATIVE, WHYPE, USDC, UBTC, PURR, REEF, ISLAND, RICH },
  ROUTER: TEST_ROUTER,
  POOR: '0x00000000000000000000000000000000000000aa',
  PARTNER: '0x00000000000000000000000000000000000000fe',
  POOL: '0x0000000000000000000000000000000000009003',
  ZERO: `0x${'0'.repeat(40)}`,
  SIGNATURE: `0x${'11'.repeat(65)}`,
}

/** The text with names and amounts instead of their braces. */
export function filled(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const [, digits, zeros] = /^(\d+)e(\d+)$/.exec(name) ?? []
    return digits === undefined ? names[name]! : `${digits}${'0'.repeat(Number(zeros))}`
  })
}

/** Each base with each of its endings. */
export const each = (base: string, endings: readonly string[]) =>
  endings.map((ending) => base + ending)
