// Attackers that make much of something, each of it cheap: tokens that speak in every block, logs, and a thin pool
// by whose price a vault is judged.

import { type Address, NATIVE } from '@braid-swap/core'
import { approveCall, type Call, type Devnet, mintCalls, sortTokens } from '@braid-swap/devnet'
import { type EncodeFunctionDataParameters, encodeFunctionData, parseAbi } from 'viem'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { deployVault, vaultAbi, vaultCall } from '../families/doubles/vaults.js'
import { v2Of } from './attackers.js'
import { type Attacker, HYPE_USD, ONE, type Prepared, type World } from './playAttacker.js'

/** Gas of a transaction that fills half of a small block, so that gas does not grow dear, and of one that fills a big one. */
const [SMALL_GAS, BIG_GAS] = [1_450_000n, 29_000_000n]
const BURNS = 1

/** Deploys the contract that makes tokens and logs, with WHYPE for pairs. */
async function startSwarm({ devnet }: Pick<World, 'devnet'>) {
  const { abi, bytecode } = compileDoubles(['Swarm.sol'])['Swarm']!
  const swarm = await deploy(devnet, { abi, bytecode })
  const { deployer, wrappedNative: token } = devnet
  await devnet.execute(mintCalls(deployer, { token, to: swarm, amount: ONE }))
  return (functionName: string, args: readonly unknown[], gas = BIG_GAS): Call => ({
    ...{ label: functionName, from: deployer, to: swarm, gas },
    data: encodeFunctionData({ abi, functionName, args }),
  })
}

const TOKENS = 64n
const AT_ONCE = 8n

/** Tokens that say in every block that their behaviour changed, and burn all gas when it is tested. */
const speaking: Attacker = {
  name: 'tokens that speak in every block and burn the gas of their test',
  act: async (world) => {
    const { devnet, mine } = world
    const call = await startSwarm(world)
    const args = [v2Of(devnet).factory, devnet.wrappedNative, AT_ONCE, ONE / 10_000n]
    for (let i = 0n; i < TOKENS; i += AT_ONCE) await devnet.execute([call('spawn', args)])
    for (let i = 0; i < Number(TOKENS / AT_ONCE); i++) await mine()
    await devnet.execute([call('setManner', [BURNS])])
    return async () => {
      await devnet.send([call('announce', [0n, TOKENS], SMALL_GAS)])
    }
  },
}

/** Blocks of the logs of swaps that were none. */
const flood: Attacker = {
  name: 'a flood of logs',
  act: async (world) => {
    const call = await startSwarm(world)
    return async () => {
      await world.devnet.send([call('flood', [600n], SMALL_GAS)])
    }
  },
}

const transferCall = (from: Address, token: Address, to: Address, amount: bigint): Call => ({
  ...{ label: 'transfer', from, to: token, gas: 200_000n },
  data: encodeFunctionData({
    abi: parseAbi(['function transfer(address,uint256)']),
    ...{ functionName: 'transfer', args: [to, amount] },
  }),
})

const pairAbi = parseAbi([
  'function createPair(address a, address b) returns (address)',
  'function getPair(address a, address b) view returns (address)',
  'function mint(address to) returns (uint256)',
])
const VAULT_AMOUNT = 10_000n * ONE

/** A vault of HYPE, and an order for its shares. */
async function prepareVault(devnet: Devnet): Promise<Prepared> {
  const { deployer, wrappedNative: token, venues } = devnet
  const venue = await deployVault(devnet, 'OpenZeppelinVault', [token, 0])
  const args = [VAULT_AMOUNT, deployer]
  const deposit = { abi: vaultAbi, functionName: 'deposit', args }
  await devnet.execute([
    ...mintCalls(deployer, { token, to: deployer, amount: 2n * VAULT_AMOUNT }),
    approveCall(token, { owner: deployer, spender: venue.factory }),
    vaultCall(deployer, venue.factory, deposit),
  ])
  const vault = venue.factory
  const options = { venues: [...venues, venue] }
  return { listed: [vault], options, orders: [[NATIVE, vault, 10n * ONE]] }
}

/** A pair of a vault's shares a tenth off their rate, the only other route; a wei of a donation has both compared. */
const thinPool: Attacker = {
  name: 'a thin pool that prices a vault',
  prepare: prepareVault,
  act: async ({ devnet, invest, mine }, [vault]) => {
    const { deployer, wrappedNative, client } = devnet
    const { factory } = v2Of(devnet)
    const [a, b] = sortTokens(vault!, wrappedNative)
    const call = (to: Address, functionName: 'createPair' | 'mint', args: readonly Address[]) => ({
      ...{ label: functionName, from: deployer, to, gas: 5_000_000n },
      data: encodeFunctionData({
        abi: pairAbi,
        functionName,
        args,
      } as EncodeFunctionDataParameters),
    })
    await devnet.execute([call(factory, 'createPair', [a, b])])
    const asked = { abi: pairAbi, functionName: 'getPair', args: [a, b] } as const
    const pair = await client.readContract({ address: factory, ...asked })
    await devnet.execute([
      transferCall(deployer, vault!, pair, (11n * ONE) / 10n),
      transferCall(deployer, wrappedNative, pair, ONE),
      call(pair, 'mint', [deployer]),
      transferCall(deployer, wrappedNative, vault!, 1n),
    ])
    invest(3 * HYPE_USD)
    await mine()
    await mine()
  },
}

/** Somewhat over a basis point of a vault's assets, which its shares are worth more from then on. */
const donation: Attacker = {
  name: 'a donation to a vault',
  prepare: prepareVault,
  act: async ({ devnet, invest, mine }, [vault]) => {
    const { deployer, wrappedNative } = devnet
    const amount = (VAULT_AMOUNT * 11n) / 100_000n
    await devnet.execute([transferCall(deployer, wrappedNative, vault!, amount)])
    invest((Number(amount / 10n ** 16n) * HYPE_USD) / 100)
    await mine()
  },
}

/** Attackers by the number of what they make. */
export const strangers: readonly Attacker[] = [speaking, flood, thinPool, donation]
