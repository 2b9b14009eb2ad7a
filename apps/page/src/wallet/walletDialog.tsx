import { useEffect, useRef } from 'preact/hooks'
import { ErrorNote } from '../errorNote.js'
import type { FoundWallet } from './discovery.js'
import type { WalletDesk } from './useWallet.js'

type DialogProps = {
  readonly desk: WalletDesk
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Lists the wallets of the browser; with one connected, shows its account. */
export function WalletDialog({ desk, isOpen, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  const { connected } = desk
  return (
    <dialog
      class="picker wallets"
      ref={dialog}
      aria-label="Wallet"
      closedby="any"
      onClose={onClose}
    >
      {isOpen && (
        <div class="picker-body">
          <header>
            <h2>{connected ? connected.wallet.info.name : 'Connect a wallet'}</h2>
            <button class="round" type="button" aria-label="Close" onClick={onClose}>
              ×
            </button>
          </header>
          {connected ? (
            <Account desk={desk} onClose={onClose} />
          ) : (
            <List desk={desk} onClose={onClose} />
          )}
          {desk.error !== undefined && <ErrorNote error={desk.error} />}
        </div>
      )}
    </dialog>
  )
}

function List({ desk, onClose }: Pick<DialogProps, 'desk' | 'onClose'>) {
  if (desk.found.length === 0) return <NoWallet />
  const connect = async (wallet: FoundWallet) => {
    if (await desk.connect(wallet)) onClose()
  }
  return (
    <ul>
      {desk.found.map((wallet) => (
        <li key={wallet.info.rdns}>
          <button type="button" disabled={desk.asked !== undefined} onClick={() => connect(wallet)}>
            <WalletIcon wallet={wallet} />
            <span class="token-names">
              <b>{wallet.info.name}</b>
              <span class="soft">
                {desk.asked === wallet ? 'Confirm in the wallet…' : wallet.info.rdns}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function NoWallet() {
  return (
    <div class="soft none">
      <p>No wallet was found in this browser.</p>
      <p class="fine">
        Install a wallet that works with EIP-6963 and reload the page. On a phone, open this page in
        the browser of your wallet.
      </p>
    </div>
  )
}

function Account({ desk, onClose }: Pick<DialogProps, 'desk' | 'onClose'>) {
  const { address } = desk.connected!
  const disconnect = () => {
    desk.disconnect()
    onClose()
  }
  return (
    <div class="account">
      <code data-testid="account">{address}</code>
      <div class="account-buttons">
        <button
          class="secondary"
          type="button"
          onClick={() => navigator.clipboard.writeText(address)}
        >
          Copy address
        </button>
        <button class="secondary" type="button" onClick={disconnect}>
          Disconnect
        </button>
      </div>
    </div>
  )
}

/** The button of the top bar: connects, or shows the connected account. */
export function WalletButton(props: { readonly desk: WalletDesk; readonly onOpen: () => void }) {
  const { connected } = props.desk
  return (
    <button class="wallet-button" type="button" aria-haspopup="dialog" onClick={props.onOpen}>
      {connected ? (
        <>
          <WalletIcon wallet={connected.wallet} />
          <span class="unseen">Wallet </span>
          {`${connected.address.slice(0, 6)}…${connected.address.slice(-4)}`}
        </>
      ) : (
        <>
          Connect<span class="wide-only"> wallet</span>
        </>
      )}
    </button>
  )
}

/** The wallet's icon, which is a data URI by EIP-6963; a letter if it has none. */
function WalletIcon({ wallet }: { readonly wallet: FoundWallet }) {
  const { name, icon } = wallet.info
  if (icon?.startsWith('data:image/')) {
    return <img class="wallet-icon" src={icon} alt="" width={28} height={28} />
  }
  return <span class="mark" data-letter={name.slice(0, 1).toUpperCase()} aria-hidden="true" />
}
