import { createClient, findPools, loadSnapshot, type Venue } from '@braid-swap/chain'
import { buildGraph, encodeProgram, encodeRouterCall, quote } from '@braid-swap/core'
import type { LadderPool } from '@braid-swap/core/families'
import { approveCall, createRandom, deployRouter, mintCalls } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, readPools, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { anyBelow } from './differential/integers.js'
import { itMatchesBytecode } from './differential/itMatchesBytecode.js'
import { simulate } from './differential/simulate.js'
import { checkVaultSwap, createVaults, type Vaults } from './differential/vaults.js'
import { deployVault, lendCall, vaultAbi, vaultCall } from './doubles/vaults.js'

const SEED = 20_261_121
const PAID = scaled(2_100)

let bare: BareChain
let vaults: Vaults

beforeAll(async () => {
  // Twice the trader's balance must not overflow a vault's own products.
  bare = await startBareChain(createRandom(SEED), 4, [0, 6, 8, 18])
  vaults = await createVaults(bare)
})

afterAll(() => bare?.chain.stop())

describe('core against vaults of OpenZeppelin and solmate', () => {
  itMatchesBytecode({
    ...{ pools: 'vaults', check: checkVaultSwap, market: () => vaults },
    title: 'computes their outputs after donations, twice in a row, and their totals',
    offByOne: (pool) => ({ ...pool, totalAssets: pool.totalAssets + 1n }),
    ...{ tries: 40, paid: PAID, refused: scaled(100) },
  })
})

describe('the loader of vaults', () => {
  it('distinguishes OpenZeppelin’s form from solmate’s at a relative difference of 10⁻²²', async () => {
    const { chain, tokens, trader } = bare
    const venue = await deployVault(chain, 'OpenZeppelinVault', [tokens[0], 1])
    const deposit = { functionName: 'deposit', args: [(1n << 79n) + 7n, trader] }
    const donate = { functionName: 'transfer', args: [venue.factory, 45n] }
    await chain.execute([
      approveCall(tokens[0]!, { owner: trader, spender: venue.factory }),
      vaultCall(trader, venue.factory, { abi: vaultAbi, ...deposit }),
      vaultCall(trader, tokens[0]!, { abi: vaultAbi, ...donate }),
    ])
    expect(await readPools(chain, venue)).toMatchObject([{ virtuals: [10n, 1n] }])
  })

  it('finds a vault for any tokens', async () => {
    const { venues } = vaults
    const found = await findPools(createClient(bare.chain.rpcUrl), { venues, tokens: [] })
    expect(found.pools.map(({ id }) => id)).toEqual(venues.map(({ factory }) => factory))
    expect(found.setAside).toEqual([])
  })

  it('examines a vault and reports one that lends out its assets', async () => {
    const { chain, tokens } = bare
    const wrongOf = async (venue: Venue) =>
      (await examined(chain, venue)).flatMap(({ holds, check }) => (holds === false ? [check] : []))
    expect(await wrongOf(vaults.venues[0]!)).toEqual([])
    const lending = await deployVault(chain, 'LendingVault', [tokens[0], 0])
    expect(await wrongOf(lending)).toEqual(['pools read'])
  })

  it('sets aside a vault that lends its assets, one with a fee, and a contract that is not a vault', async () => {
    const { chain, tokens } = bare
    const [asset] = tokens
    const venues = [
      await deployVault(chain, 'LendingVault', [asset, 0]),
      await deployVault(chain, 'FeeVault', [asset, 0]),
      { id: 'no-vault', family: 'erc4626', factory: asset! } as const,
    ]
    const { wrappedNative } = chain
    const {
      state: { setAside },
    } = await loadSnapshot(createClient(chain.rpcUrl), { venues, wrappedNative })
    expect(new Map(setAside.map(({ id, code }) => [id, code]))).toEqual(
      new Map([
        [venues[0]!.factory, 'POOL_FORM_UNKNOWN'],
        [venues[1]!.factory, 'POOL_FORM_UNKNOWN'],
        [asset, 'VENUE_UNREADABLE'],
      ]),
    )
  })
})

const LENT_SWAPS = scaled(60)

describe('a vault that lends its assets', () => {
  it('is sampled in every block, and pays at least the quote in the next', async () => {
    const { chain, tokens, random, trader } = bare
    const asset = tokens[3]!
    const { factory: vault } = await deployVault(chain, 'GrowingVault', [asset, 0])
    const venue: Venue = { id: 'growing', family: 'ladder', protocol: 'vault', factory: vault }
    const amount = 10n ** 24n
    const deposit = { abi: vaultAbi, functionName: 'deposit', args: [amount, trader] }
    const { router, executor } = await deployRouter(chain)
    await chain.execute([
      ...mintCalls(chain.deployer, { token: asset, to: trader, amount: 4n * amount }),
      approveCall(asset, { owner: trader, spender: vault }),
      vaultCall(trader, vault, deposit),
      lendCall(trader, vault, (amount * 6n) / 10n),
      approveCall(asset, { owner: trader, spender: router }),
      approveCall(vault, { owner: trader, spender: router }),
    ])
    const client = createClient(chain.rpcUrl)
    const { wrappedNative } = chain
    const rates = new Set<bigint>()
    for (let i = 0; i < LENT_SWAPS; i++) {
      await chain.mine()
      const {
        state: { snapshot },
      } = await loadSnapshot(client, { venues: [venue], wrappedNative })
      const pool = snapshot.pools.find(({ id }) => id === vault) as LadderPool
      const [deposits, redemptions] = pool.ladders.map((ladder) => ladder.at(-1)!)
      rates.add(redemptions![0])
      // Ever fewer shares redeem the assets that are not lent.
      expect(Number(redemptions![1])).toBeCloseTo(Number(amount) * 0.4, -20)
      const isDeposit = random.next() < 0.5
      const [tokenIn, tokenOut] = isDeposit ? [asset, vault] : [vault, asset]
      // Interest may take the last two millionths of the last rung.
      const [top] = isDeposit ? deposits! : redemptions!
      const most = top - (top * 2n) / 1_000_000n - 1n
      const order = { tokenIn, tokenOut, amountIn: i === 0 ? most : 1n + anyBelow(random, most) }
      const { route, amountOut } = quote(buildGraph(snapshot), order)
      const call = {
        ...{ ...order, minAmountOut: amountOut, receiver: trader, deadline: 1n << 64n },
        executor,
        program: encodeProgram(route, order),
      }
      const [result] = await simulate(chain.client, [
        { from: trader, to: router, data: encodeRouterCall(call) },
      ])
      expect({ order, succeeded: result!.succeeded }).toEqual({ order, succeeded: true })
      const more = Number(BigInt(result!.data)) / Number(amountOut) - 1
      expect(more).toBeLessThan(2e-6)
    }
    expect(rates.size).toBeGreaterThan(1)
  })
})
