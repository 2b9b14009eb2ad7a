// The known deployments on HyperEVM that Braid does not serve, with the reason, so that coverage
// can be reviewed.

import type { Address } from '@braid-swap/core'
import type { Unserved } from './chainRecord.js'

const NO_FEE = 'the fee of its pairs is not published, and the pairs do not report it'
const NO_VARIANT =
  'the Solidly variant of its pairs, and the contract that reports their fee, are unknown'
const NO_FAMILY = 'its family is not implemented yet'
const WINDS_DOWN = 'a vault of USDH, which is being wound down'
const LIKE_VAULT = 'it is unknown whether and at what rate its shares are redeemed at once'
// docs/venues.md gives the argument.
const STAKES =
  'it takes native wei only in multiples of 10^10, and the executor would keep the remainder of every swap'
const ORACLE = 'priced by an oracle; the calls that quote and swap are not known for certain'

/** Every deployment on HyperEVM that public registries list and {@link hyperEvmVenues} does not. */
export const hyperEvmUnserved: readonly Unserved[] = [
  unserved('laminar-v2', NO_FEE, '0x8f45c2143a875de1e31b1c3f523b4c6529e11615'),
  unserved('ultrasolid-v2', NO_FEE, '0x2658665492d0394e86d50d55050453127a28c09b'),
  unserved('hypertrade-v2', NO_FEE, '0x4b6ac7503d3fd79ce23d7ae463d14aaaf07f6573'),
  unserved('manaswap', NO_FEE, '0x46bc787bf21d9178f2debad939e76c7e9dd0a392'),
  unserved(
    'sweep-n-flip',
    'its pairs trade wrapped NFTs',
    '0xa575959ab114bf3a84a9b7d92838ac3b77324e65',
  ),
  unserved('hybra-v2', NO_VARIANT, '0x9c7397c9c5ecc400992843408d3a283fe9108009'),
  unserved('nest-v2', NO_VARIANT, '0x889fd0ada8453c7619cd7f11e9029a1f0848fdf5'),
  unserved('hyperdrome', NO_VARIANT, '0x2fd54310ce91919c2f328e7c9028a854de40673e'),
  unserved('hyperpie-v2', NO_VARIANT, '0xeaf40318453a81993569b14b898aac31df6133fa'),
  // The protocol factory. One registry lists it as the factory of sovereign pools, which is wrong.
  unserved(
    'valantis',
    'its pools other than Stake Exchanges are priced by custom modules, most by signed quotes',
    '0x7e028ac56cb2af75292f3d967978189698c24732',
  ),
  unserved('felix-usdh', WINDS_DOWN, '0x207ccae51ad2e1c240c4ab4c94b670d438d2201c'),
  // The same contract is served for the way back.
  unserved('kinetiq-khype-staking', STAKES),
  unserved('behype', STAKES, '0xcead893b162d38e714d82d06a7fe0b0dc3c38e0b'),
  unserved('hyperbeat-wvlp', LIKE_VAULT, '0xd66d69c288d9a6fd735d7be8b2e389970fc4fd42'),
  unserved('hyperbeat-liquidhype', LIKE_VAULT, '0x441794d6a8f9a3739f5d4e98a728937b33489d29'),
  unserved('metric', NO_FAMILY, '0xe22f9fc0f04486de25ed6cf1800a4a47afd82e0c'),
  unserved('alt-fun', NO_FAMILY, '0xd5e5fef4cfefb67bba0aa1dc74b2cd196b4786ac'),
  unserved('ring-swap', NO_FAMILY, '0x4afc2e4ca0844ad153b090dc32e207c1dd74a8e4'),
  unserved('wombat', NO_FAMILY, '0xef420c965d80fb24a211155a6b489c0d62b7e07a'),
  unserved('pendle', NO_FAMILY, '0x888888888889758f76e7103c6cbf23abbf58f946'),
  unserved('bounce-tech', NO_FAMILY, '0xed8bcde433eb7c4b69db1235483bf0edb726fc1b'),
  unserved('brownfi-v2', ORACLE, '0x3240853b71c89209ea8764cddfa3b81766553e55'),
  unserved('brownfi-v3', ORACLE, '0x6a4bd89709b67ec846f02cf9e95a0dd2fb515720'),
  unserved('hyperamm', ORACLE),
  unserved('nabla', ORACLE, '0x45a2c9fbc307a13c2737cef9e00c1555c2f8c948'),
  unserved('woofi', ORACLE, '0x5520385bfcf07ec87c4c53a7d8d65595dff69fa4'),
  unserved(
    'hidden-ocean',
    'only an address in a test file is known',
    '0x17c29d91852051073efb6f1a8e1074fe43512961',
  ),
]

function unserved(id: string, why: string, contract?: Address): Unserved {
  return { id, why, ...(contract && { contract }) }
}
