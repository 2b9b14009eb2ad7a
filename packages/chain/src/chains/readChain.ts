// A chain by its name or from a file.

import { existsSync, readFileSync } from 'node:fs'
import { type Address, BaseError } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { z } from 'zod'
import { BadVenuesError, checkVenues, venuesSchema } from '../venues/checkVenues.js'
import { type ChainRecord, usualChain } from './chainRecord.js'
import { ethereum } from './ethereum.js'
import { hyperEvm } from './hyperevm.js'
import { layerOf } from './layers.js'
import { polygon } from './polygon.js'

/** The chains that need no file, by name. */
export const knownChains: ReadonlyMap<string, ChainRecord> = new Map(
  Object.entries({ hyperevm: hyperEvm, ethereum, polygon }),
)
const names = [...knownChains.keys()]

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .transform((text) => text.toLowerCase() as Address)
const text = z.string().min(1).max(64)
const url = z.url({ protocol: /^https?$/, error: 'must be a URL of http or https' })
const positive = (most: number) => z.int().min(1).max(most)
const token = { symbol: text, name: text, decimals: z.literal(18).default(18) }

const venues = z
  .unknown()
  .transform((value, context) => {
    try {
      return checkVenues(value)
    } catch (error) {
      const lines = error instanceof BadVenuesError ? error.lines : [`${error}`]
      for (const line of lines) context.addIssue(line)
      return z.NEVER
    }
  })
  .meta(venuesSchema() as Record<string, unknown>)

const schema = z.strictObject({
  id: positive(Number.MAX_SAFE_INTEGER),
  name: text,
  native: z.strictObject(token),
  wrapped: z.strictObject({ address, ...token }),
  multicall3: address.default(usualChain.multicall3),
  permit2: address
    .refine((at) => at === PERMIT2, `must be ${PERMIT2}: the router calls no other`)
    .default(usualChain.permit2),
  hubs: z.array(address).default([]),
  usdTokens: z.array(address).default([]),
  venues,
  unserved: z
    .array(z.strictObject({ id: text, contract: address.optional(), why: z.string().min(1) }))
    .default([]),
  blocks: z
    .array(
      z.strictObject({
        ...{ name: text, gasLimit: positive(10_000_000_000), everyMs: positive(3_600_000) },
        choice: z.string().min(1).optional(),
      }),
    )
    .min(1)
    .max(2),
  fee: z
    .literal('eip1559', { error: 'must be eip1559: a part for another layer is not modelled' })
    .default(usualChain.fee),
  systemAddresses: z
    .array(z.strictObject({ from: address, to: address.optional(), why: z.string().min(1) }))
    .default([]),
  guard: z
    .strictObject({
      books: z.array(z.strictObject({ token: address, asset: positive(1_000_000) })),
      units: z.array(address),
      maxOffBps: z.int().min(0).max(10_000),
    })
    .default(usualChain.guard),
  explorer: z
    .strictObject({ name: text, url })
    .nullish()
    .transform((known) => known ?? undefined),
  rpcUrl: url,
  sources: z.array(z.string()).default([]),
  confirmed: z.array(z.string()).default([]),
})

/**
 * The chain of a name, such as `hyperevm`, or of a JSON file, which may begin from a name with `like`; HyperEVM if
 * `named` is absent. Throws a {@link BadChainError} that says of each field what would be right.
 *
 * @example const chain = readChain('./my-chain.json')
 */
export function readChain(named?: string): ChainRecord {
  if (named === undefined) return hyperEvm
  const own = knownChains.get(named)
  if (own) return own
  refuseLayer(named)
  return checkChain(readJson(named))
}

/** The known chain of an id; undefined if there is none. */
export function knownChain(id: number): ChainRecord | undefined {
  return [...knownChains.values()].find((chain) => chain.id === id)
}

/** The chain in a value, such as a parsed JSON file. Throws a {@link BadChainError}. */
export function checkChain(value: unknown): ChainRecord {
  const form = z.looseObject({ like: z.enum(names).optional() }).safeParse(value)
  if (!form.success) {
    throw new BadChainError([
      `it must be an object of fields; its \`like\`, if any, one of ${names.join(', ')}`,
    ])
  }
  // An editor finds the schema of a file by its own key.
  const { like, $schema, ...own } = form.data
  const parsed = schema.safeParse({ ...(like && knownChains.get(like)), ...own })
  if (!parsed.success) {
    throw new BadChainError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    )
  }
  refuseLayer(parsed.data.id)
  return parsed.data
}

/** The JSON Schema (2020-12) of a file of a chain. */
export function chainSchema(): object {
  const own = { like: z.enum(names).optional(), $schema: z.string().optional() }
  return z.toJSONSchema(schema.partial().extend(own), {
    ...{ io: 'input', unrepresentable: 'any' },
  })
}

function readJson(file: string): unknown {
  if (!existsSync(file)) {
    throw new BadChainError([`${file} is neither a known chain (${names.join(', ')}) nor a file`])
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new BadChainError([`${file} is not JSON: ${(error as Error).message}`])
  }
}

function refuseLayer(chain: string | number): void {
  const name = layerOf(chain)
  if (name === undefined) return
  throw new BadChainError([
    `${name} is not served: a part of its fee pays for another layer, which Braid does not model yet`,
  ])
}

/** No chain that can be served; the message names each fault. */
export class BadChainError extends BaseError {
  readonly code = 'BAD_CHAIN'
  /** One line for each fault. */
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('; '))
    this.lines = lines
  }
}
