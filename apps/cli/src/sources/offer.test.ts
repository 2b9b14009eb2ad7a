// What a refused order is told and offered on a market of our own, to a person and to an agent.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMcpServer } from '../mcp/server.js'
import { frozen, runCli } from '../testing/runCli.js'

const [, snapshot = '', , tokens = ''] = frozen
const agent = new Client({ name: 'test', version: '1' })
beforeAll(async () => {
  const server = createMcpServer('1', { source: { snapshot, tokens }, fixed: {} }, (words) =>
    runCli(words),
  )
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), agent.connect(theirs)])
})
afterAll(() => agent.close())

/** An order as words of a command. */
const wordsOf = (order: Readonly<Record<string, string>>) =>
  Object.entries(order).flatMap(([name, value]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value,
  ])
async function call(name: string, order: Readonly<Record<string, string>>) {
  const { isError, content } = await agent.callTool({ name, arguments: order })
  const [{ text }] = content as [{ readonly text: string }]
  return { isError: isError === true, answer: JSON.parse(text) }
}

const ends = { in: 'HYPE', out: 'USDC' }
const huge = { ...ends, amountOut: '1000000000000' }
const closed = { in: 'UETH', out: 'PURR', amount: '0.1', onlyIntermediates: 'UBTC' }

it('beyond the end of the market the most that sells is offered, and the most without a loss to accept', async () => {
  const { code, err } = await runCli(['quote', ...frozen, ...wordsOf(huge), '--json'])
  const { error } = JSON.parse(err)
  expect([code, error]).toMatchObject([3, { code: 'INSUFFICIENT_LIQUIDITY' }])
  const offer =
    /It takes ([\d.,]+) HYPE for [\d.,]+ USDC, and at most ([\d.,]+) HYPE for .* 5\.00 %$/
  const [, most, modest] = offer.exec(error.message)!
  for (const [amount, accepted] of [
    [most!, '--accept=PRICE_IMPACT_HIGH,WORTH_LOST'],
    [modest!, '--accept='],
  ] as const) {
    const order = wordsOf({ ...ends, amount: amount.replaceAll(',', '') })
    expect((await runCli(['swap', ...frozen, ...order, accepted])).code).toBe(0)
  }
  const told = await call('build', huge)
  expect([told.isError, told.answer.error]).toEqual([true, error])
})

it.each([
  ['quote', 'quote'],
  ['swap', 'build'],
])(
  '%s names the token that nobody vouches for, and the option that opens the way, as the tool %s',
  async (command, tool) => {
    const { code, err } = await runCli([command, ...frozen, ...wordsOf(closed)])
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/^error: UETH to PURR is only connected/m),
    ])
    const opened = /wanted {2}--only-intermediates (\S+), if you trust them/.exec(err)![1]!
    const told = await call(tool, closed)
    expect(told.isError).toBe(true)
    expect(told.answer.error).toMatchObject({
      code: 'ROUTE_UNTRUSTED',
      details: { onlyIntermediates: opened },
    })
    const open = await call(tool, { ...closed, onlyIntermediates: opened })
    expect(open).toMatchObject({ isError: false })
  },
)
