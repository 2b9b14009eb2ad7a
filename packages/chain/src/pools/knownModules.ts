// The code of contracts that decide what pools pay, beside the pools: plugins and fee modules. Code that is not in this
// list, nor named by its venue, is not believed, whatever functions it has.

import type { Hex } from '@braid-swap/core'

/** A contract whose code is known. */
type KnownModule = {
  /** By `codeHashOf`. */
  readonly hash: Hex
  readonly name: string
  /** Where its code comes from. */
  readonly source: string
}

/** Plugins of Algebra Integral with an adaptive and with a sliding fee. */
export const BASE_PLUGIN_V1: Hex =
  '0xef9692ef2fba3f69a6715a74993fc0272bf8442a63993707f81683f4c219b823'
export const BASE_PLUGIN_V2: Hex =
  '0x4706648b907b725ef01671d31c6297a6a75a853f637677fc6d987aeab6a70906'

const NPM = '@cryptoalgebra/integral-base-plugin@1.2.1 of npm'
// The inputs of the deployments, in the broadcasts of STEXDeploy.s.sol.
const STEX = 'ValantisLabs/valantis-stex@cb6eb4f, run'

/** Every module that is known without an operator. */
export const knownModules: readonly KnownModule[] = [
  { hash: BASE_PLUGIN_V1, name: 'AlgebraBasePluginV1', source: NPM },
  { hash: BASE_PLUGIN_V2, name: 'AlgebraBasePluginV2', source: NPM },
  {
    hash: '0x97b59b4f2be72c6b6ab12e775b2c2a3cc7213b2b3ef03695ef956984e5b905fa',
    ...{ name: 'STEXRatioSwapFeeModule', source: `${STEX} 1743433861` },
  },
  {
    hash: '0x941140773889647203b1874a1e8355b370b369e6f50c89ab1b1c6b9db9dc6e6d',
    ...{ name: 'stHYPEWithdrawalModule', source: `${STEX} 1743434221` },
  },
]
const hashes: ReadonlySet<string> = new Set(knownModules.map(({ hash }) => hash))

/** True if a module's code is in the list, or among the hashes that its venue names. */
export function isKnownModule(hash: Hex, named: readonly Hex[] = []): boolean {
  return hashes.has(hash) || named.includes(hash)
}
