import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'
import { createMcpServer } from './server.js'

const [, snapshot = '', , tokens = ''] = frozen
const source = [
  ['--snapshot', snapshot],
  ['--tokens', tokens],
] as const
const client = new Client({ name: 'test', version: '1' })
const server = createMcpServer('1', source, (words) => runCli(words))

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

const order = { in: 'HYPE', out: 'USDC', amount: '15' }
const words = ['--in', 'HYPE', '--out', 'USDC', '--amount', '15']

describe('the tools of an agent', () => {
  it('are four, and none of them can take a key or send', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['quote', 'compare', 'build', 'verify'])
    for (const { inputSchema, annotations } of tools) {
      expect(Object.keys(inputSchema.properties!).join()).not.toMatch(/key|send|pay|yes/i)
      expect(annotations?.readOnlyHint).toBe(true)
    }
  })

  it.each([['quote'], ['compare']])('%s answers as the command does', async (name) => {
    const { out } = await runCli([name, ...frozen, ...words, '--json'])
    expect(await call(name, order)).toEqual({ isError: false, texts: [out] })
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
})
