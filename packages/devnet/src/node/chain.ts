import { type ChainRecord, hyperEvm } from '@braid-swap/chain'
import { type Address, NATIVE } from '@braid-swap/core'
import { UnknownNameError } from '../errors.js'
import { ACCOUNT_COUNT, type Account, devAccounts } from './accounts.js'
import { type Anvil, spawnAnvil } from './anvil.js'
import { type Gate, openGate } from './blockingProxy.js'
import { type ChainClient, createChainClient } from './client.js'
import { mintCalls } from './erc20.js'
import { placeSystemContracts } from './genesis.js'
import { BASE_FEE, BIG_BLOCK_GAS, createLedger, type Ledger } from './transactions.js'

/** Says how to start a bare chain. */
export type ChainOptions = {
  /** The chain that it stands for; the one that is served by default. */
  readonly record?: ChainRecord
  /** TCP port on 127.0.0.1; 0 or absent chooses a free one. */
  readonly port?: number
  /** Unix seconds of block 0; each mined block adds the time of a block of the record. */
  readonly genesisTimestamp?: bigint
  /** The number of newest blocks with readable state, 128 by default; logs are kept for all. */
  readonly keptStates?: number
  /**
   * Which transactions come first in a block: those sent first (default), or those with the higher
   * `maxFeePerGas`, as the node orders offers for places in full blocks.
   */
  readonly order?: 'fifo' | 'fees'
}

/** A chain with its wrapped token, Multicall3, Permit2 and the Safe singleton factory; mines on request. */
export type Chain = Ledger & {
  readonly chainId: number
  /** What is true of it, as an operator writes it: `rpcUrl` is its own, and no explorer shows it. */
  readonly record: ChainRecord
  readonly rpcUrl: string
  readonly port: number
  /** Process id of the node. */
  readonly pid: number
  /** Resolves with a reason if the node exits unexpectedly. */
  readonly died: Promise<string>
  readonly client: ChainClient
  readonly wrappedNative: Address
  readonly multicall3: Address
  readonly accounts: readonly Account[]
  /** `accounts[0]`: deploys, owns all liquidity and wraps what `fund` gives. */
  readonly deployer: Address
  /**
   * Adds `amount` wei of the wrapped token, a mintable token or NATIVE to an address and mines a block for it.
   * Throws UNKNOWN_NAME.
   */
  readonly fund: (to: Address, token: Address, amount: bigint) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Block 0 is always in the past, so that a deadline by the wall clock never expires early. */
const GENESIS_TIMESTAMP = 1_700_000_000n

/** Limits the node's memory, because a state of the whole market takes about a megabyte. */
const KEPT_STATES = 128

const DEPLOYER_BALANCE = 10n ** 30n

/**
 * Starts a chain without a market, with blocks of 30M gas, in under a second.
 * Throws NO_ANVIL_BINARY, ANVIL_START.
 */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const anvil = await spawnAnvil(0, nodeArguments(options))
  try {
    const gate = await openGate(anvil.port, options.port ?? 0)
    const chain = describeChain(anvil, gate, options.record ?? hyperEvm)
    const { client } = chain
    await client.request({ method: 'anvil_setLoggingEnabled', params: [false] })
    await Promise.all([
      client.setBlockTimestampInterval({ interval: chain.record.blocks[0]!.everyMs / 1_000 }),
      client.setBalance({ address: chain.deployer, value: DEPLOYER_BALANCE }),
      placeSystemContracts(client, chain.record),
    ])
    return chain
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

function describeChain(anvil: Anvil, gate: Gate, of: ChainRecord): Chain {
  const { pid, died } = anvil
  const { rpcUrl, port } = gate
  const client = createChainClient(rpcUrl, of)
  const stop = async () => {
    await anvil.stop()
    await gate.stop()
  }
  const accounts = devAccounts()
  const deployer = accounts[0]!.address
  // This client bypasses the gate, which holds all others while a block is made.
  const ledger = createLedger(createChainClient(anvil.rpcUrl, of), gate.hold)
  const fund = async (to: Address, token: Address, amount: bigint) => {
    if (token === NATIVE) {
      const balance = await client.getBalance({ address: to })
      await client.setBalance({ address: to, value: balance + amount })
      await ledger.mine()
    } else {
      await checkToken(client, token)
      await ledger.execute(mintCalls(deployer, { token, to, amount }))
    }
  }
  return {
    chainId: of.id,
    record: { ...of, rpcUrl, explorer: undefined, guard: { ...of.guard, books: [] } },
    ...{ rpcUrl, port, pid, died, stop, client, accounts, deployer, fund, ...ledger },
    wrappedNative: of.wrapped.address,
    multicall3: of.multicall3,
  }
}

/** Checks for code, because a call to an address without code succeeds and does nothing. */
async function checkToken(client: ChainClient, token: Address): Promise<void> {
  const code = await client.getCode({ address: token })
  if (code !== undefined) return
  throw new UnknownNameError({ kind: 'token', got: token, known: 'addresses with code' })
}

function nodeArguments(options: ChainOptions): readonly string[] {
  const settings = {
    'chain-id': (options.record ?? hyperEvm).id,
    hardfork: 'cancun',
    accounts: ACCOUNT_COUNT,
    balance: 1_000_000,
    timestamp: options.genesisTimestamp ?? GENESIS_TIMESTAMP,
    'gas-limit': BIG_BLOCK_GAS,
    'block-base-fee-per-gas': BASE_FEE,
    order: options.order ?? 'fifo',
    // One block is final, as on many chains.
    'slots-in-an-epoch': 1,
    // Older states are dropped; otherwise the node writes several megabytes per block to disk.
    'prune-history': options.keptStates ?? KEPT_STATES,
    color: 'never',
  }
  const flags = [
    ...['no-mining', 'auto-impersonate', 'disable-min-priority-fee'],
    // Third-party contracts compiled without optimisation are larger than the limit.
    'disable-code-size-limit',
    // The gate answers browsers.
    'no-cors',
  ]
  return [
    ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ...flags.map((name) => `--${name}`),
  ]
}
