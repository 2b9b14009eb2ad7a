// The settings of the page that the API serves, and of the account of a devnet's page.

import type { Address } from '@braid-swap/core'
import { ConfigError } from './configError.js'
import { LOOPBACK } from './roles.js'
import type { Settings } from './settings.js'

type Environment = Pick<Settings, 'BRAID_PAGE_KEY' | 'BRAID_PAGE_FRAMES' | 'BRAID_DEMO_ACCOUNT'>

/** The account of a devnet's page, which the node signs for. */
export type Demo = { readonly account: Address }

/** Settings of the page for its visitors. */
export type PageSettings = {
  /** Given to every visitor; its limits then apply to each address. */
  readonly key?: string
  /** Origins of the sites that may embed the page. */
  readonly frames: readonly string[]
}

/** The settings in the environment. */
export function readPage(env: Environment): PageSettings {
  return {
    ...(env.BRAID_PAGE_KEY && { key: env.BRAID_PAGE_KEY }),
    frames: env.BRAID_PAGE_FRAMES ?? [],
  }
}

/**
 * The demo of a devnet. The page sends from its account without a signature, so anyone who reaches
 * the page can spend. Throws {@link ConfigError}.
 */
export function readDemo(env: Environment, host: string): Demo | undefined {
  const { BRAID_PAGE_KEY: key, BRAID_DEMO_ACCOUNT: account } = env
  if (account === undefined) return undefined
  if (key === undefined) {
    throw new ConfigError([
      'BRAID_PAGE_KEY is required: BRAID_DEMO_ACCOUNT is for a page with a key',
    ])
  }
  if (!LOOPBACK.test(host)) {
    throw new ConfigError([
      `BRAID_DEMO_ACCOUNT is for a devnet: HOST must be 127.0.0.1, got ${host}`,
    ])
  }
  return { account }
}
