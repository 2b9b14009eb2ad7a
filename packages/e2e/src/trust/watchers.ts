// A token that the operator lets in, with the best price for dollars, that behaves where it takes a call for a simulation:
// by what code sees of its sender, of its block, of its gas and of the accounts beside it.

import { NATIVE } from '@braid-swap/core'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { addPair } from './attackers.js'
import { type Attacker, ONE, tokensOf } from './playAttacker.js'

/** By what a token tells a simulation, in the order of `WatchfulToken.sol`. */
const SIGNS = [
  'gas that costs nothing',
  'a block without a base fee',
  'a sender that is nobody',
  'a sender without a balance',
  'a sender that is not its victim',
  'more gas than a swap needs',
  'accounts with short code',
  'a block of an even number',
  'a block with a number of an even hash',
] as const

/** Blocks in which a new pool and its token are tested. */
const BLOCKS_TO_TRUST = 5

/** Those that no test hides. */
const UNSEEN = SIGNS.slice(4, 7)

/** Those that change from block to block. */
const UNSTEADY = SIGNS.slice(7)

const watching = (sign: (typeof SIGNS)[number], taxPermille = 1_000): Attacker => ({
  name: `a listed token that ${taxPermille < 1_000 ? 'takes its part without' : 'waits for'} ${sign}`,
  prepare: async (devnet) => {
    const { WatchfulToken } = compileDoubles(['WatchfulToken.sol'])
    const args = [SIGNS.indexOf(sign), devnet.wallet.address, taxPermille]
    const token = await deploy(devnet, WatchfulToken!, args)
    await addPair(devnet, [token, devnet.wrappedNative], [100n * ONE, (5n * ONE) / 2n])
    await addPair(devnet, [token, tokensOf(devnet).USDC], [100n * ONE, 103_000_000n])
    return { listed: [token] }
  },
  act: async ({ devnet, api, invest, mine }, [token]) => {
    invest(200)
    for (let i = 0; i < BLOCKS_TO_TRUST; i++) await mine()
    const order = { src: NATIVE, dst: tokensOf(devnet).USDC, amount: `${ONE}` }
    const { body } = await api.get('/swap/v1/999/quote', { ...order, includeRoutes: 'true' })
    // What no test can see attracts orders, which fail for their senders.
    const isServed = JSON.stringify(body).toLowerCase().includes(token!)
    const isUnsteady = UNSTEADY.includes(sign)
    if (!isUnsteady && isServed !== UNSEEN.includes(sign)) {
      throw new Error(`the token is served: ${isServed}`)
    }
    // An order is filled in another block than the newest, which it is estimated in.
    return isUnsteady ? async () => {} : undefined
  },
})

/** Every such token. */
export const watchers: readonly Attacker[] = [
  ...SIGNS.map((sign) => watching(sign)),
  watching('accounts with short code', 200),
  watching('a sender that is not its victim', 200),
]
