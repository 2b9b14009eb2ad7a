import { resolve } from 'node:path'
import { startProgram } from '@braid-swap/worlds/program'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { frozen } from './testing/runCli.js'

const program = resolve(import.meta.dirname, '../bin/braid.js')

it('ends without a complaint when its reader has enough, as of `braid --help | head -1`', async () => {
  const { stopReading, ended, err } = startProgram([process.execPath, program, '--help'])
  stopReading('stdout')
  expect([await ended, err]).toEqual([0, []])
})

it('serves the tools of an agent over standard input, as its configuration starts it', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const args = [program, 'mcp', ...frozen]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const order = { in: 'HYPE', out: 'USDC', amount: '15' }
  const { content, isError } = await client.callTool({ name: 'quote', arguments: order })
  await client.close()
  expect(isError).toBeUndefined()
  const [{ text: quoted }] = content as [{ readonly text: string }]
  expect(JSON.parse(quoted)).toMatchObject({ amountIn: '15000000000000000000' })
})
