/** For each fault of a wallet: what happened, and what the visitor can do. */

import type { SendCode } from '@braid-swap/client'
import type { WalletCode } from './walletError.js'

type Words = { readonly title: string; readonly detail?: string }

/** A code without a detail is followed by the message of the error. */
const words: Readonly<Record<WalletCode | SendCode | 'OUTCOME_UNKNOWN', Words>> = {
  WALLET_REJECTED: {
    title: 'Declined in the wallet, so the swap was not sent',
    detail: 'Start again if you want the swap. Your approval, if you gave one, is for this amount.',
  },
  WALLET_BUSY: {
    title: 'Your wallet waits for an answer',
    detail:
      'Open the wallet, unlock it, and answer the request that is open there. Then try again.',
  },
  WALLET_LOCKED: {
    title: 'Your wallet is locked or shares no account',
    detail: 'Unlock the wallet and let it share an account with this page. Then connect again.',
  },
  WALLET_CHAIN_UNKNOWN: {
    title: 'Your wallet does not know this network',
    detail:
      'Add the chain that this page names at its top, in the settings of the wallet. Then try again.',
  },
  WALLET_OTHER_NETWORK: {
    title: 'Your wallet’s node serves another chain with the same id, so nothing was sent',
    detail: 'Change the node (RPC URL) of this network in the wallet, and try again.',
  },
  WALLET_DISCONNECTED: {
    title: 'Your wallet has lost its connection',
    detail: 'Check that the wallet is open and online. Then connect again.',
  },
  WALLET_UNSUPPORTED: {
    title: 'Your wallet or the token cannot do this',
    detail: 'Choose another way to pay, such as an approval, or use another wallet.',
  },
  WALLET_FUNDS: {
    title: 'The account has too little of the chain’s own token for the swap and its gas',
    detail: 'Reduce the amount, or add some to the account.',
  },
  WALLET_FAILED: { title: 'The wallet could not do this' },
  DECIMALS_DIFFER: {
    title: 'Amounts of this token are shown wrong, so nothing was sent',
  },
  SWAP_UNDER_WAY: {
    title: 'The same swap is under way, so it was not sent again',
    detail: 'It was started before or in another tab. Its outcome appears under “Your swaps”.',
  },
  BIG_BLOCK_REQUIRED: {
    title: 'This swap does not fit into a small block, so it was not sent',
  },
  WRONG_CHAIN: {
    title: 'Your wallet uses another network, so the swap was not sent',
    detail: 'Switch the wallet to this network and try again.',
  },
  GAS_NOT_COVERED: { title: 'The account has too little left for gas' },
  BALANCE_INSUFFICIENT: { title: 'The account has too little for this swap' },
  ALLOWANCE_INSUFFICIENT: {
    title: 'The amount approved in the wallet is lower than the swap needs',
    detail: 'The approval was sent, the swap was not. Start again and approve the whole amount.',
  },
  PERMIT_UNSUPPORTED: {
    title: 'This token has no permit that can be signed here',
    detail: 'Nothing was sent. Choose another way to pay, such as an approval.',
  },
  PRICE_MOVED: {
    title: 'The market now pays less than you agreed to, so the swap was not sent',
    detail: 'Look at the new quote and try again. An approval that you gave is for this amount.',
  },
  NETWORK_FEE_TOO_HIGH: { title: 'The network fee is too high, so the swap was not sent' },
  REPLACED: {
    title: 'Another transaction of your wallet took the place of this one',
    detail: 'Nothing was swapped by this one. Look into the activity of your wallet.',
  },
  OUTCOME_UNKNOWN: {
    title: 'Nobody can say yet how the swap ended',
    detail:
      'It is looked for under “Your swaps” until that is known. The activity of your wallet may show it before. The same order is not sent again meanwhile, so that you do not swap twice.',
  },
  EXPIRED: {
    title: 'The swap was not performed in time',
    detail: 'Its deadline has passed without it: nothing was swapped. You can swap again.',
  },
  CALLS_UNSUPPORTED: {
    title: 'Your wallet cannot approve and swap in one confirmation',
    detail: 'Nothing was sent. Choose another way to pay, such as an approval.',
  },
  REVERTED: { title: 'The swap reverted: no tokens were swapped, and only gas was paid' },
}

/** The words for a code; undefined if it is not of a wallet. */
export function walletWords(code: string): Words | undefined {
  return Object.hasOwn(words, code) ? words[code as keyof typeof words] : undefined
}
