// Those who claim what is not so: a contract that it is a pool of two listed tokens, and callers that they signed.

import { type Address, NATIVE } from '@braid-swap/core'
import { type Call, sortTokens } from '@braid-swap/devnet'
import { encodeFunctionData } from 'viem'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { v2Of, v3Of } from './attackers.js'
import { type Attacker, ONE, tokensOf } from './playAttacker.js'

/** Contracts that name two listed tokens and a factory as theirs, with a price of which both sides are a thousandth. */
const falsePairs: Attacker = {
  name: 'contracts that name tokens and a factory as theirs',
  act: async ({ devnet, api, mine }) => {
    const { deployer: from, wrappedNative } = devnet
    const FalsePair = compileDoubles(['FalsePair.sol'])['FalsePair']!
    const tokens = sortTokens(wrappedNative, tokensOf(devnet).USDC)
    const reserves = tokens.map((token) =>
      token === wrappedNative ? 1_000n * ONE : 4n * 10n ** 13n,
    )
    const own: Address[] = []
    for (const { factory } of [v2Of(devnet), v3Of(devnet, 'devnet-v3a')]) {
      own.push(await deploy(devnet, FalsePair, [factory, tokens, reserves]))
    }
    await mine()
    const data = encodeFunctionData({ abi: FalsePair.abi, functionName: 'trade' })
    const trades = own.map((to): Call => ({ label: 'trade', from, to, data, gas: 100_000n }))
    return async () => {
      await devnet.send(trades)
      const { pools } = api.market.current()!.graph.snapshot
      if (pools.some(({ id }) => own.some((one) => one === id))) throw new Error('it is served')
    }
  },
}

const SIGNATURE = `0x${'11'.repeat(64)}1b`

/** Swaps of listed tokens by permits that nobody signed, of an account that has approved nothing. */
const falsePermits: Attacker = {
  name: 'permits that nobody signed',
  act: async ({ devnet, ask, mine }) => {
    const { trader } = devnet
    const { USDC, UBTC } = tokensOf(devnet)
    for (let i = 0; i < 20; i++) {
      const signed = {
        from: trader.address,
        permit: SIGNATURE,
        deadline: '4000000000',
        simulate: 'true',
      }
      await ask({ src: USDC, dst: NATIVE, amount: `${10_000_000 + i}`, ...signed })
      await ask({ src: UBTC, dst: USDC, amount: `${10_000 + i}`, ...signed })
    }
    await mine()
  },
}

/** Attackers by what they claim. */
export const claimants: readonly Attacker[] = [falsePairs, falsePermits]
