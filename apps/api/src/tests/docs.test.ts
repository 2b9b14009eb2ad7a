import { readFileSync } from 'node:fs'
import { NATIVE } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from '../errors.js'
import { USDC } from '../testing/frozenMarket.js'
import { TEST_ROUTER } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'

const text = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
const commands = text.split('\n').filter((line) => line.startsWith('curl '))

let world: TestWorld
beforeAll(async () => {
  world = await startTestWorld()
  const wallet = world.chain.accounts[6]!.address
  await world.chain.fund(wallet, USDC, 1_000_000n)
  const amount = 1_000_000n.toString(16).padStart(64, '0')
  const data = `0x095ea7b3${TEST_ROUTER.slice(2).padStart(64, '0')}${amount}` as const
  await world.chain.execute([{ label: 'approve', from: wallet, to: USDC, data, gas: 100_000n }])
})
afterAll(() => world?.stop())

describe('docs/api.md', () => {
  it.each(commands)('%s answers 200', async (command) => {
    const [, headers, url] = /^curl -H "(.*?)" "(.*?)"$/.exec(command) ?? []
    expect(headers).toBe('apikey: $key')
    const values: Readonly<Record<string, string>> = {
      ...{ base: '', hype: NATIVE, usdc: USDC, wallet: world.chain.accounts[6]!.address },
    }
    const path = url!.replace(/\$([a-z]+)/g, (_, name: string) => values[name]!)
    expect((await world.api.get(path)).status).toBe(200)
  })

  it('names no code that the table does not have', () => {
    const [, table = ''] = text.split('## Errors')
    const named = [...table.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code]) => code!)
    expect(named.length).toBeGreaterThan(10)
    // Settings of the operator are no codes.
    const codes = named.filter((name) => !name.startsWith('BRAID_'))
    for (const code of codes) expect(errorTable).toHaveProperty(code)
  })
})
