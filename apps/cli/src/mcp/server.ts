/**
 * A server of the Model Context Protocol whose tools are commands of this program. Each call is one
 * command line with `--json`, so an agent gets what a person gets, checked by the same code. No tool
 * takes a key or sends anything: an agent proposes, its user's wallet signs.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

/** Runs one command line and returns what it wrote. */
export type RunLine = (words: readonly string[]) => Promise<{
  readonly code: number
  readonly out: string
  readonly err: string
}>

const token = z.string().describe('a symbol, an address, or `native`')
const amount = z.string().describe('in whole tokens, such as "1.5"')
const address = z.string().describe('an address, 0x and 40 hexadecimal digits')

const order = {
  in: token.describe('token to sell: a symbol, an address, or `native`'),
  out: token.describe('token to buy: a symbol, an address, or `native`'),
  amount: amount.optional().describe('amount to sell, in whole tokens, such as "1.5"'),
  amountOut: amount.optional().describe('amount to buy, instead of `amount`'),
}

/** The tools: the command of each, its arguments, and options that its source does not have. */
const tools = {
  quote: {
    description: 'The exact output of a swap, its route and how close it is to the best possible.',
    input: order,
  },
  compare: {
    description: 'The aggregated quote of a swap beside those of single pools.',
    input: order,
  },
  swap: {
    title: 'build',
    description:
      'Builds the unsigned transaction of a swap and decodes it. Nothing is signed or sent. Show the user token, amount, receiver and least output before they sign.',
    input: {
      ...order,
      slippage: z
        .string()
        .optional()
        .describe('accepted loss in percent, 0 to 50, or auto with an API; 0.5 if absent'),
      min: amount.optional().describe('least output that the user accepts, in whole tokens'),
      from: address.optional().describe('the wallet that will send the transaction'),
      receiver: address.optional().describe('who gets the output; the sender if absent'),
    },
  },
  verify: {
    description:
      'Decodes the calldata of a swap and compares it with what the user wants. Use it on every transaction before it is signed, also on your own.',
    input: {
      calldata: z.string().describe('the `data` of the transaction'),
      in: token.optional(),
      out: token.optional(),
      amount: amount.optional(),
      min: amount.optional().describe('least output that the user accepts, in whole tokens'),
      from: address.optional(),
      receiver: address.optional(),
      to: address.optional().describe('the `to` of the transaction'),
      value: z.string().optional().describe('the `value` of the transaction, in wei'),
    },
  },
} as const

/** The options of the market's source that `verify` has: it needs no market. */
const OFFLINE = new Set(['--snapshot', '--tokens'])

/**
 * A server with the tools `quote`, `compare`, `build` and `verify`, which read the market from
 * `source`, pairs of an option and its value.
 */
export function createMcpServer(
  version: string,
  source: readonly (readonly [string, string])[],
  run: RunLine,
): McpServer {
  const server = new McpServer({ name: 'braid', version })
  for (const [command, { description, input, ...named }] of Object.entries(tools)) {
    const name = 'title' in named ? named.title : command
    const kept = command === 'verify' ? source.filter(([option]) => OFFLINE.has(option)) : source
    const annotations = { readOnlyHint: true, openWorldHint: true }
    const about = { description, inputSchema: z.strictObject(input), annotations }
    server.registerTool(name, about, async (values) => {
      const words = [...kept, ...Object.entries(values).map(optionOf)].map(wordOf)
      return resultOf(await run([command, '--json', ...words]))
    })
  }
  return server
}

/** `amountOut: '5'` as the option `--amount-out` and its value. */
function optionOf([name, value]: [string, unknown]): readonly [string, string] {
  return [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, `${value}`]
}

/** One word, so that a value never becomes an option of its own. */
function wordOf([option, value]: readonly [string, string]): string {
  return `${option}=${value}`
}

/** A command's output as the result of a tool; an error with its code and reason if the command failed. */
function resultOf({ code, out, err }: Awaited<ReturnType<RunLine>>): CallToolResult {
  const texts = [out, err].filter((text) => text !== '')
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    ...(code !== 0 && { isError: true }),
  }
}
