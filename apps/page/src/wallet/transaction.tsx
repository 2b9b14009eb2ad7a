import { shortAddress } from '@braid-swap/client'
import type { PageConfig } from '../pageConfig.js'
import { explorerUrl } from './chain.js'

/** The hash of a transaction, as a link if a public explorer shows it. */
export function Transaction(props: { readonly hash: string; readonly config: PageConfig }) {
  const { hash, config } = props
  const url = config.demo ? undefined : explorerUrl(config, hash)
  const text = <code title={hash}>{shortAddress(hash)}</code>
  return (
    <p class="soft fine note">
      Transaction{' '}
      {url === undefined ? (
        text
      ) : (
        <a href={url} target="_blank" rel="noreferrer">
          {text}
        </a>
      )}
    </p>
  )
}
