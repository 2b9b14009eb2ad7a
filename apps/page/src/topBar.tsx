import { useState } from 'preact/hooks'
import { Logo, ThemeIcon } from './icons.js'
import type { PageQuote } from './order/usePolling.js'
import type { PageConfig } from './pageConfig.js'
import { kept } from './storage.js'
import type { WalletConnection } from './wallet/useWallet.js'
import { WalletButton } from './wallet/walletDialog.js'

const themes = { system: 'light dark', light: 'light', dark: 'dark' } as const
const order = ['system', 'light', 'dark'] as const
type Theme = (typeof order)[number]
const KEY = 'braid.theme'

/** Shows the chain, the block of the last quote, the theme button and the wallet. */
export function TopBar(props: {
  readonly config: PageConfig
  readonly quote: PageQuote | undefined
  readonly isStale: boolean
  readonly wallet: WalletConnection
  readonly onWallet: () => void
}) {
  const { config, quote, wallet, onWallet } = props
  return (
    <header class="top">
      <h1>
        <Logo />
        Braid
      </h1>
      <span class="chip">
        {config.chain.name}
        <span class="wide-only"> · chain {config.chainId}</span>
      </span>
      {config.demo && <span class="chip demo">devnet</span>}
      {config.recorded && <span class="chip demo">recorded</span>}
      <span class="grow" />
      {quote && (
        <span class={props.isStale ? 'block stale' : 'block'} data-testid="block">
          <i key={`${quote.meta.blockNumber}`} aria-hidden="true" />
          <span class="wide-only">Block </span>
          {quote.meta.blockNumber.toLocaleString('en-US')}
        </span>
      )}
      <nav aria-label="Developer links">
        <a href="/openapi.json">OpenAPI</a>
      </nav>
      <ThemeButton />
      {!config.recorded && <WalletButton connection={wallet} onOpen={onWallet} />}
    </header>
  )
}

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => apply(read()))
  const next = order[(order.indexOf(theme) + 1) % order.length] ?? 'system'
  return (
    <button
      class="round"
      type="button"
      title={`Colours: ${theme}`}
      aria-label={`Colours: ${theme}. Change to ${next}`}
      onClick={() => {
        kept.write(KEY, next)
        setTheme(apply(next))
      }}
    >
      <ThemeIcon />
    </button>
  )
}

function read(): Theme {
  const name = kept.read(KEY)
  return order.find((theme) => theme === name) ?? 'system'
}

function apply(theme: Theme): Theme {
  document.documentElement.style.colorScheme = themes[theme]
  return theme
}
