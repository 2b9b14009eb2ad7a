import type { Address } from '@braid-swap/core'
import { z } from 'zod'
import { keptInTab } from './storage.js'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Address)

const hex = z.templateLiteral(['0x', z.string()])
const url = z.url({ protocol: /^https?$/ })

/** What the page has to know of the chain. */
const chainSchema = z.object({
  name: z.string(),
  native: z.object({ name: z.string(), symbol: z.string(), decimals: z.int() }),
  /** The node that wallets are offered. */
  rpcUrl: url,
  /** Null if no public explorer shows the chain. */
  explorer: z.object({ name: z.string(), url }).nullable(),
  /** Kinds of blocks, first the one that an ordinary transaction gets into. */
  blocks: z.array(
    z.object({ name: z.string(), everyMs: z.number(), choice: z.string().optional() }),
  ),
  systemAddresses: z.array(z.object({ from: address, to: address.optional(), why: z.string() })),
})

const schema = z.object({
  chainId: z.int(),
  router: address,
  wrappedNative: address,
  usdTokens: z.array(address),
  demo: z.object({ account: address }).nullable(),
  /** The page's own key; null if visitors bring theirs. */
  apiKey: z.string().nullable(),
  /** Visitors from a private network need no key. */
  isKeyless: z.boolean(),
  /** The block of a market from a file, where nothing can be sent; null or absent if the API follows a chain. */
  recorded: z.object({ blockNumber: z.string(), blockTimestamp: z.int() }).nullish(),
  chain: chainSchema,
  /** Those of the router whose code the API has seen. */
  executors: z.array(
    z.object({ version: z.int(), address, codeHash: hex, families: z.array(z.string()) }),
  ),
})

/** The page's configuration as served by the API; `demo` is null unless the chain is a devnet. */
export type PageConfig = z.output<typeof schema>

/** Reads `/page.json`. */
export async function readPageConfig(): Promise<PageConfig> {
  const response = await fetch('/page.json')
  return schema.parse(await response.json())
}

const KEY = 'braid.key'

/** The visitor's key, kept until the tab is closed. */
export const keptKey = {
  read: () => keptInTab.read(KEY),
  write: (key: string) => keptInTab.write(KEY, key),
  forget: () => keptInTab.forget(KEY),
}

/** The key that a visitor starts with: none, as an empty text, if the API may ask for none. */
export function firstKey({ demo, apiKey, isKeyless }: PageConfig): string | undefined {
  return (demo ? undefined : keptKey.read()) ?? apiKey ?? (isKeyless ? '' : undefined)
}

/** True if the visitor brings a key, and may bring another one. */
export function canChangeKey({ demo }: PageConfig): boolean {
  return demo === null
}
