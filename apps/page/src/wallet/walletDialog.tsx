import { Dialog } from '../dialog.js'
import { ErrorNote } from '../errorNote.js'
import type { FoundWallet } from './discovery.js'
import type { WalletConnection } from './useWallet.js'

type DialogProps = {
  readonly connection: WalletConnection
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Lists the wallets of the browser; with one connected, shows its account. */
export function WalletDialog({ connection, isOpen, onClose }: DialogProps) {
  const { connected } = connection
  const title = connected ? connected.wallet.info.name : 'Connect a wallet'
  return (
    <Dialog {...{ title, isOpen, onClose }}>
      {connected ? <Account {...{ connection, onClose }} /> : <List {...{ connection, onClose }} />}
      {connection.error !== undefined && <ErrorNote error={connection.error} />}
    </Dialog>
  )
}

function List({ connection, onClose }: Pick<DialogProps, 'connection' | 'onClose'>) {
  if (connection.found.length === 0) return <NoWallet />
  const connect = async (wallet: FoundWallet) => {
    if (await connection.connect(wallet)) onClose()
  }
  return (
    <ul>
      {connection.found.map((wallet) => (
        <li key={wallet.info.rdns}>
          <button
            type="button"
            disabled={connection.asked !== undefined}
            onClick={() => connect(wallet)}
          >
            <WalletIcon wallet={wallet} />
            <span class="token-names">
              <b>{wallet.info.name}</b>
              <span class="soft">
                {connection.asked === wallet ? 'Confirm in the wallet…' : wallet.info.rdns}
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

function Account({ connection, onClose }: Pick<DialogProps, 'connection' | 'onClose'>) {
  const { address } = connection.connected!
  const disconnect = () => {
    connection.disconnect()
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
export function WalletButton(props: {
  readonly connection: WalletConnection
  readonly onOpen: () => void
}) {
  const { connected } = props.connection
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
