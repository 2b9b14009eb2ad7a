// Logs by which tokens say that their behaviour may have changed: a pause, a fee, a list or an owner. The
// signatures are those of OpenZeppelin, of Circle's and Tether's tokens, and of proxies (EIP-1967).

import type { Address, Hex } from '@braid-swap/core'
import { toEventSelector } from 'viem'
import type { Log } from './log.js'

const TOPICS: ReadonlySet<Hex> = new Set(
  [
    'Paused(address)',
    'Unpaused(address)',
    'Pause()',
    'Unpause()',
    'Blacklisted(address)',
    'UnBlacklisted(address)',
    'AddedBlackList(address)',
    'RemovedBlackList(address)',
    'DestroyedBlackFunds(address,uint256)',
    'Params(uint256,uint256)',
    'Deprecate(address)',
    'FeeUpdated(uint256)',
    'TaxUpdated(uint256)',
    'OwnershipTransferred(address,address)',
    'RoleGranted(bytes32,address,address)',
    'RoleRevoked(bytes32,address,address)',
    'AdminChanged(address,address)',
    'Upgraded(address)',
    'BeaconUpgraded(address)',
  ].map((signature) => toEventSelector(signature)),
)

/** The contracts that say in these logs that their behaviour may have changed. */
export function changedBehaviour(logs: readonly Log[]): readonly Address[] {
  const named = logs.filter(({ topics }) => topics[0] !== undefined && TOPICS.has(topics[0]))
  return [...new Set(named.map(({ address }) => address))]
}
