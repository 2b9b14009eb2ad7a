// The settings of the page that the API serves, and of the account of a devnet's page.

import { z } from 'zod'
import { address, ConfigError } from './configError.js'
import type { Demo } from './docs/page.js'

/** An origin as a browser writes it, such as `https://example.org:8443`. */
const origin = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'must be origins such as https://example.org, comma-separated',
  )

/** The variables of the page. */
export const pageVariables = {
  BRAID_PAGE_KEY: z.string().min(1).optional(),
  BRAID_PAGE_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  BRAID_PAGE_FRAMES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(origin))
    .optional(),
  BRAID_DEMO_API_KEY: z.string().min(1).optional(),
  BRAID_DEMO_ACCOUNT: address.optional(),
}

type Environment = z.output<z.ZodObject<typeof pageVariables>>

/** Settings of the page for its visitors. */
export type PageSettings = {
  /** Given to every visitor; its limits then apply to each address. */
  readonly key?: string
  /** The node that the page offers to wallets; by default the chain's public one. */
  readonly rpcUrl?: string
  /** Origins of the sites that may embed the page. */
  readonly frames: readonly string[]
}

/** The settings in the environment. */
export function readPage(env: Environment): PageSettings {
  return {
    ...(env.BRAID_PAGE_KEY && { key: env.BRAID_PAGE_KEY }),
    ...(env.BRAID_PAGE_RPC_URL && { rpcUrl: env.BRAID_PAGE_RPC_URL }),
    frames: env.BRAID_PAGE_FRAMES ?? [],
  }
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/**
 * The demo of a devnet. The page sends from its account without a signature, so anyone who reaches
 * the page can spend. Throws {@link ConfigError}.
 */
export function readDemo(env: Environment, host: string): Demo | undefined {
  const { BRAID_DEMO_API_KEY: apiKey, BRAID_DEMO_ACCOUNT: account } = env
  if (apiKey === undefined && account === undefined) return undefined
  if (apiKey === undefined || account === undefined) {
    throw new ConfigError(['BRAID_DEMO_API_KEY and BRAID_DEMO_ACCOUNT must be given together'])
  }
  if (!LOOPBACK.test(host)) {
    throw new ConfigError([
      `BRAID_DEMO_ACCOUNT is for a devnet: HOST must be 127.0.0.1, got ${host}`,
    ])
  }
  return { apiKey, account }
}
