import { ErrorNote } from '../errorNote.js'
import type { Setting } from '../pageConfig.js'
import { chainOf } from './chain.js'
import type { WalletDesk } from './useWallet.js'

/** Takes the place of the swap button while no account can pay: connect, or switch the network. */
export function ConnectPanel(props: {
  readonly desk: WalletDesk
  readonly setting: Setting
  /** Undefined if it is shown elsewhere. */
  readonly error: unknown
  readonly onConnect: () => void
}) {
  const { desk, setting, error, onConnect } = props
  const { name, id } = chainOf(setting)
  return (
    <div class="send">
      {desk.connected ? (
        <>
          <p class="warning" role="status" data-testid="wrong-chain">
            Your wallet uses chain {desk.connected.chainId}. This page swaps on {name}, chain {id}.
          </p>
          <button class="primary" type="button" onClick={desk.switchChain}>
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
