import { readFileSync } from 'node:fs'
import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { defaultTokenListFile, readTokenList } from './tokenList.js'

type Listed = {
  readonly address: string
  readonly logoURI?: string
  readonly extensions?: { readonly logoSource?: string }
}

it('ships a list of tokens of HyperEVM, each once, by checksummed address', () => {
  const { tokens } = JSON.parse(readFileSync(defaultTokenListFile, 'utf8')) as {
    readonly tokens: readonly Listed[]
  }
  expect(readTokenList(defaultTokenListFile, 999).size).toBe(tokens.length)
  expect(tokens.length).toBeGreaterThan(20)
  // The format allows 42 characters.
  for (const { extensions } of tokens) {
    expect(extensions?.logoSource ?? '').toMatch(/^([\w.-]+\/[\w.-]+@[0-9a-f]+:[\w./-]+)?$/)
    expect(extensions?.logoSource?.length ?? 0).toBeLessThanOrEqual(42)
  }
  expect(tokens.filter(({ logoURI }) => logoURI).length).toBeGreaterThan(20)
  for (const { address, logoURI } of tokens) {
    expect(address).toBe(getAddress(address))
    if (logoURI !== undefined) expect(logoURI).toMatch(/^https:[^?]*\.(png|svg|jpg)(\?[\w=-]+)?$/)
  }
})

it('gives what the list says of a token by its lower-case address, of one chain', () => {
  const usdc = '0xb88339cb7199b77e23db6e890353e22632ba630f'
  expect(readTokenList(defaultTokenListFile, 999).get(usdc)?.logoURI).toContain('/logo.png')
  expect(readTokenList(defaultTokenListFile, 1).size).toBe(0)
})
