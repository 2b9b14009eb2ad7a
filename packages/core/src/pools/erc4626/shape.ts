import {
  choice,
  type Fault,
  integer,
  optional,
  record,
  type Shape,
  twoOf,
  uint,
} from '../../shape/shape.js'
import { faultOfTokens, firstFault, poolFields, twoTokens } from '../poolFields.js'
import type { Erc4626Pool } from './pool.js'

/** The most decimals that a vault's shares have more than its assets. */
const LARGEST_OFFSET = 24

/** The states that a pool of this family can have: it has the address of its share. */
export const shape: Shape<Erc4626Pool> = record<Erc4626Pool>(
  {
    ...poolFields,
    family: choice('erc4626'),
    tokens: twoTokens,
    totalAssets: uint(256),
    totalSupply: uint(256),
    virtuals: twoOf(integer(0n, 10n ** BigInt(LARGEST_OFFSET)), integer(0n, 1n)),
    assetCap: optional(uint(256)),
  },
  (pool) =>
    firstFault(faultOfTokens(pool), faultOfShare(pool), faultOfVirtuals(pool), faultOfCap(pool)),
)

function faultOfShare({ id, tokens }: Erc4626Pool): Fault | undefined {
  const [, share] = tokens
  return share === id ? undefined : { field: 'tokens[1]', got: share, wanted: `${id}, the vault` }
}

function faultOfVirtuals({ virtuals: [shares, assets] }: Erc4626Pool): Fault | undefined {
  const isKnown = assets === 0n ? shares === 0n : /^10*$/.test(`${shares}`)
  if (isKnown) return undefined
  return { field: 'virtuals', got: `[${shares}, ${assets}]`, wanted: '[0, 0] or [10^offset, 1]' }
}

function faultOfCap({ assetCap, totalAssets }: Erc4626Pool): Fault | undefined {
  if (assetCap === undefined || assetCap >= totalAssets) return undefined
  return {
    field: 'assetCap',
    got: `${assetCap}`,
    wanted: `at least ${totalAssets}, the total assets`,
  }
}
