/**
 * Reads the receiver that a visitor typed. A wrong receiver loses everything, so a text that is not
 * surely an address is refused, and an address that loses tokens as well.
 */
import { shortAddress } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { isBurnAddress, receiverFault } from '@braid-swap/core/advanced'
import { isAddress } from 'viem'
import type { PageConfig } from '../pageConfig.js'
import type { Caution } from './guards.js'

/** The receiver of a draft. */
export type ReceiverReading =
  /** The payer itself. */
  | { readonly is: 'own' }
  | { readonly is: 'other'; readonly address: Address; readonly caution: Caution }
  | { readonly is: 'wrong'; readonly why: string }

/** Reads a typed receiver; an empty text means the payer. */
export function readReceiver(
  text: string,
  of: {
    readonly src: Address
    readonly dst: Address
    readonly payer: Address | undefined
    readonly config: Pick<PageConfig, 'router' | 'wrappedNative' | 'chain'>
  },
): ReceiverReading {
  const typed = text.trim()
  if (typed === '') return { is: 'own' }
  if (!/^0x[0-9a-fA-F]{40}$/.test(typed)) {
    return { is: 'wrong', why: 'The receiver is not an address: 0x and 40 hexadecimal digits.' }
  }
  const address = typed.toLowerCase() as Address
  // An address in mixed case has a checksum (EIP-55). Strict: a wrong one is no address.
  if (typed !== address && !isAddress(typed)) {
    return { is: 'wrong', why: 'The receiver has a typing error: its checksum is wrong.' }
  }
  const { src: tokenIn, dst: tokenOut, payer, config } = of
  const { router, wrappedNative, chain } = config
  const { systemAddresses } = chain
  const where = { router, wrappedNative, systemAddresses }
  const fault = receiverFault(address, { tokenIn, tokenOut, ...where })
  if (fault !== undefined) {
    return { is: 'wrong', why: `This receiver would lose the tokens: ${fault}.` }
  }
  if (address === payer) return { is: 'own' }
  return { is: 'other', address, caution: cautionOf(address) }
}

function cautionOf(address: Address): Caution {
  if (isBurnAddress(address)) {
    return { text: 'The receiver is a burn address: the tokens are destroyed.', isGrave: true }
  }
  const text = `The output goes to ${shortAddress(address)}, not to your account. Nobody can return it.`
  return { text, isGrave: false }
}
