// The chain that this package deploys on, and the router there by its address and hashes, so that a program that only
// compares code loads no bytecode.
// After a change of the code, deployment.test.ts prints what stands here and in code.ts.

import type { Address } from 'viem'
import { EXECUTOR } from './code.js'
import type { KnownExecutor } from './deployment.js'
import { deployments } from './generated/deployments.js'

// Apart, so that a program that needs one thing of this file bundles no other.
const WRAPPED = '0x5555555555555555555555555555555555555555'
const CORE = 'it is HyperCore, which keeps it'

/** The id of HyperEVM: what a program that names no chain means. */
export const shippedChainId: number = 999

/** What else is true of that chain. The wrapped native token is WHYPE. */
export const shippedChain: {
  readonly wrappedNative: Address
  /** From one to another: where what is paid is lost, and why. */
  readonly systemAddresses: readonly {
    readonly from: Address
    readonly to?: Address
    readonly why: string
  }[]
} = {
  wrappedNative: WRAPPED,
  // Of HYPE, of the contract for actions, and 0x20 with the index of a token in the low eight bytes.
  systemAddresses: [
    {
      from: '0x2222222222222222222222222222222222222222',
      why: CORE,
    },
    {
      from: '0x3333333333333333333333333333333333333333',
      why: CORE,
    },
    {
      from: '0x2000000000000000000000000000000000000000',
      to: '0x200000000000000000000000ffffffffffffffff',
      why: CORE,
    },
  ],
}

/** The router for its wrapped native token, and the executors of it, newest first. */
export const shippedRouter: {
  readonly wrappedNative: Address
  readonly router: Address
  readonly executors: readonly KnownExecutor[]
} = {
  wrappedNative: WRAPPED,
  router: '0x74f5879b7a81cdad97f6a13b8e269d5261de095d',
  executors: /* @__PURE__ */ withPublished('0x74f5879b7a81cdad97f6a13b8e269d5261de095d', {
    ...EXECUTOR,
    address: '0xae43adb763c3e273f41d04d5e2be6580e86e237c',
    codeHash: '0xa9301cec7e85bd7c033319083c678b41476e8bb43f96d415d1c0717fbe08c376',
  }),
}

/** An executor of a router, and those of it that were published before. */
export function withPublished(
  router: Address,
  newest: KnownExecutor,
): readonly [KnownExecutor, ...KnownExecutor[]] {
  const published = Object.values(deployments)
    .filter((deployment) => deployment.router === router.toLowerCase())
    .flatMap(({ executors }) => executors)
  const older = new Map(published.map((one) => [one.address, one]))
  older.delete(newest.address)
  return [newest, ...[...older.values()].sort((a, b) => b.version - a.version)]
}
