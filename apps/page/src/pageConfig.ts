import type { Address } from '@braid-swap/core'
import { z } from 'zod'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Address)

const schema = z.object({
  chainId: z.int(),
  router: address,
  wrappedNative: address,
  usdTokens: z.array(address),
  demo: z.object({ apiKey: z.string(), account: address }).nullable(),
})

/** The page's configuration as served by the API; `demo` is null unless the chain is a devnet. */
export type Setting = z.output<typeof schema>

/** A devnet account whose transactions the node signs, and its API key. */
export type Demo = NonNullable<Setting['demo']>

/** Reads `/page.json`. */
export async function readSetting(): Promise<Setting> {
  const response = await fetch('/page.json')
  return schema.parse(await response.json())
}

const KEY = 'braid.key'

/** The visitor's key, kept until the tab is closed. */
export const keptKey = {
  read: () => sessionStorage.getItem(KEY),
  write: (key: string) => sessionStorage.setItem(KEY, key),
  forget: () => sessionStorage.removeItem(KEY),
}
