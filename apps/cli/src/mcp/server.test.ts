import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'
import { createMcpServer } from './server.js'

const [, snapshot = '', , tokens = ''] = frozen
const source = { snapshot, tokens }
const client = new Client({ name: 'test', version: '1' })
const server = createMcpServer('1', { source, fixed: {} }, (words) => runCli(words))

beforeAll(async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), client.connect(theirs)])
})
afterAll(() => client.close())

type Called = { readonly isError: boolean; readonly texts: readonly string[] }
async function call(name: string, args: Record<string, unknown>): Promise<Called> {
  const { isError, content } = await client.callTool({ name, arguments: args })
  const texts = (content as { readonly text: string }[]).map(({ text }) => text)
  return { isError: isError === true, texts }
}

/** An answer with the words of strangers where the command has them. */
function unfenced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unfenced)
  if (typeof value !== 'object' || value === null) return value
  const { wordsOfOthers, ...ours } = value as Record<string, unknown>
  const parts = Object.entries(ours).map(([name, part]) => [name, unfenced(part)])
  return { ...Object.fromEntries(parts), ...(wordsOfOthers as object | undefined) }
}

const order = { in: 'HYPE', out: 'USDC', amount: '15' }
const words = ['--in', 'HYPE', '--out', 'USDC', '--amount', '15']

describe('the tools of an agent', () => {
  it('are five, and none of them can take a key or send', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'quote',
      'compare',
      'build',
      'approve',
      'verify',
    ])
    for (const { inputSchema, annotations } of tools) {
      expect(Object.keys(inputSchema.properties!).join()).not.toMatch(/key|send|pay|yes/i)
      expect(annotations?.readOnlyHint).toBe(true)
    }
  })

  it.each([['quote'], ['compare']])('%s answers as the command does', async (name) => {
    const { out } = await runCli([name, ...frozen, ...words, '--json'])
    const { isError, texts } = await call(name, order)
    expect([isError, texts.map((text) => unfenced(JSON.parse(text)))]).toEqual([
      ...[false, [JSON.parse(out)]],
    ])
  })

  it('build gives a transaction that verify accepts, and refuses for another receiver', async () => {
    const from = '0x00000000000000000000000000000000000000aa'
    const built = await call('build', { ...order, from })
    expect(built.isError).toBe(false)
    const { tx } = JSON.parse(built.texts[0]!)
    const wanted = { calldata: tx.data, ...order, from, min: '1', to: tx.to, value: tx.value }
    expect(await call('verify', wanted)).toMatchObject({ isError: false })
    const other = await call('verify', { ...wanted, amount: '16' })
    expect(other.isError).toBe(true)
    expect(other.texts.join()).toContain('MISMATCH')
  })

  it.each([
    ['an unknown token', { ...order, in: 'NONE' }, 'UNKNOWN_TOKEN'],
    ['an option as a value', { ...order, amount: '--send' }, 'BAD_AMOUNT'],
    ['an option that the tool does not have', { ...order, send: 'true' }, 'send'],
  ])('say what is wrong with %s', async (_, args, why) => {
    const { isError, texts } = await call('build', args)
    expect([isError, texts.join()]).toEqual([true, expect.stringContaining(why)])
  })

  it('approve refuses more than a contract takes', async () => {
    const { isError, texts } = await call('approve', { token: 'USDC', amountWei: `${2n ** 256n}` })
    expect([isError, texts.join()]).toEqual([true, expect.stringContaining('above 2^256-1')])
  })
})

it('an answer is one object in which strangers’ words are apart, and build accepts by name alone', async () => {
  const lines: string[][] = []
  const out = {
    decimalsOut: 6,
    findings: [{ code: 'WORTH_LOST', level: 'ask', measure: 9, limit: 1, reason: 'R' }],
  }
  const talking = createMcpServer('1', { source, fixed: {} }, async (line) => {
    lines.push([...line])
    return { code: 0, out: JSON.stringify(out), err: 'without --rpc or --min-wei nobody knows' }
  })
  const agent = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([talking.connect(ours), agent.connect(theirs)])
  const { content } = await agent.callTool({ name: 'build', arguments: order })
  const [{ text }, ...others] = content as [{ text: string }]
  const { reason, ...figures } = out.findings[0]!
  expect([others, JSON.parse(text)]).toEqual([
    [],
    {
      ...{ ...out, findings: [{ ...figures, wordsOfOthers: { reason } }] },
      said: ['without rpc or minWei nobody knows'],
    },
  ])
  await agent.callTool({ name: 'build', arguments: { ...order, accept: 'WORTH_LOST' } })
  expect(lines.map((line) => line.filter((word) => word.startsWith('--accept')))).toEqual([
    ...[['--accept='], ['--accept=WORTH_LOST']],
  ])
  await agent.close()
})

it.each([
  ['--api', 'nowhere', '--api is not a URL'],
  ['--receiver', '0x1', '--receiver is not an address'],
  ['--slippage', '99', '--slippage is not such a percentage'],
])('a server with a wrong %s does not start', async (option, value, why) => {
  const words = option === '--api' ? [option, value] : [...frozen, option, value]
  const { code, err } = await runCli(['mcp', ...words])
  expect([code, err]).toEqual([2, expect.stringContaining(why)])
})
