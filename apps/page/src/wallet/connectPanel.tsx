import { ErrorNote } from '../errorNote.js'
import type { PageConfig } from '../pageConfig.js'
import { walletChain } from './chain.js'
import type { WalletConnection } from './useWallet.js'

/** Takes the place of the swap button while no account can pay: connect, or switch the network. */
export function ConnectPanel(props: {
  readonly connection: WalletConnection
  readonly config: PageConfig
  /** Undefined if it is shown elsewhere. */
  readonly error: unknown
  readonly onConnect: () => void
}) {
  const { connection, config, error, onConnect } = props
  const { name, id } = walletChain(config)
  return (
    <div class="send">
      {connection.connected ? (
        <>
          <p class="warning" role="status" data-testid="wrong-chain">
            Your wallet uses chain {connection.connected.chainId}. This page swaps on {name}, chain{' '}
            {id}.
          </p>
          <button class="primary" type="button" onClick={connection.switchChain}>
            Switch to {name}
          </button>
        </>
      ) : (
        <button class="primary" type="button" onClick={onConnect}>
          Connect wallet
        </button>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  )
}
