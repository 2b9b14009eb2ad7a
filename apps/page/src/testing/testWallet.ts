/**
 * A wallet for the browser tests: an EIP-1193 provider that announces itself by EIP-6963 and signs
 * with a devnet key. It answers in this process and passes everything else to the devnet's node. It
 * asks nobody, but refuses, switches and answers otherwise as a test says.
 */
import type { Hex } from '@braid-swap/core'
import type { Page } from 'playwright-core'
import { createWalletClient, http, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hyperEvm } from 'viem/chains'

/** Answers a request; `ask` answers as the wallet would. */
export type Answer = (ask: () => Promise<unknown>, params: readonly unknown[]) => unknown

/** The behaviour of the wallet; a test changes it. */
export type Behaviour = {
  /** It shares its account with the page, as after an earlier visit. */
  isConnected: boolean
  /** What it answers to some methods instead. */
  answers: Map<string, Answer>
  chainId: number
  /** It knows our chain, or learns it by wallet_addEthereumChain. */
  knowsChain: boolean
  /** Methods that its user declines. */
  declines: Set<string>
  /** It executes several calls as one. */
  canBatch: boolean
}

/** The wallet of a page. */
export type TestWallet = {
  readonly address: Hex
  readonly behaviour: Behaviour
  /** The methods asked for, with their parameters. */
  readonly asked: { readonly method: string; readonly params: readonly unknown[] }[]
  /** Puts the wallet into a page, before it is loaded. */
  readonly install: (page: Page) => Promise<void>
  /** Asks the devnet's node. */
  readonly askNode: (method: string, params: readonly unknown[]) => Promise<unknown>
}

type WalletRequest = { readonly method: string; readonly params?: readonly unknown[] }
type Call = { readonly to: Hex; readonly data: Hex; readonly value?: Hex; readonly gas?: Hex }

/** Enough for any block of the devnet. */
const FEES = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n }

/** An error as wallets answer it. */
export class Refusal extends Error {
  readonly code: number
  readonly data: Hex | undefined

  constructor(code: number, message: string, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A wallet with the account of a key on the devnet. */
export function createTestWallet(rpcUrl: string, privateKey: Hex): TestWallet {
  const account = privateKeyToAccount(privateKey)
  const client = createWalletClient({ account, chain: hyperEvm, transport: http(rpcUrl) })
  const behaviour: Behaviour = {
    ...{ chainId: 999, knowsChain: true, canBatch: false },
    ...{ declines: new Set<string>(), isConnected: false, answers: new Map() },
  }
  const asked: TestWallet['asked'] = []
  const bundles = new Map<string, readonly Hex[]>()
  const askNode = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as never)
  const accounts = () => (behaviour.isConnected ? [account.address] : [])
  const send = async ({ to, data, value = '0x0', gas }: Call): Promise<Hex> => {
    const call = { to, data, value: BigInt(value), ...(gas && { gas: BigInt(gas) }) }
    const hash = await client.sendTransaction({ ...call, ...FEES })
    // It is in a block at once, so that no test waits for the next one.
    await askNode('evm_mine', [])
    return hash
  }
  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_requestAccounts: () => {
      behaviour.isConnected = true
      return accounts()
    },
    eth_accounts: accounts,
    eth_chainId: () => numberToHex(behaviour.chainId),
    wallet_switchEthereumChain: ([to]) => {
      if (!behaviour.knowsChain) throw new Refusal(4902, 'Unrecognized chain ID.')
      behaviour.chainId = Number((to as { readonly chainId: Hex }).chainId)
      return null
    },
    wallet_addEthereumChain: () => {
      behaviour.knowsChain = true
      return null
    },
    eth_sendTransaction: ([call]) => send(call as Call),
    eth_signTypedData_v4: ([, text]) => account.signTypedData(JSON.parse(`${text}`)),
    wallet_getCapabilities: () => {
      if (!behaviour.canBatch) throw new Refusal(4200, 'Method not supported')
      return { '0x3e7': { atomic: { status: 'supported' } } }
    },
    wallet_sendCalls: async ([bundle]) => {
      const hashes: Hex[] = []
      for (const call of (bundle as { readonly calls: readonly Call[] }).calls) {
        hashes.push(await send({ ...call, gas: numberToHex(1_500_000) }))
      }
      bundles.set(hashes[0]!, hashes)
      return { id: hashes[0] }
    },
    wallet_getCallsStatus: async ([id]) => {
      const hashes = bundles.get(`${id}`)!
      const all = await Promise.all(
        hashes.map((hash) => askNode('eth_getTransactionReceipt', [hash])),
      )
      const receipts = all as readonly ({ readonly status: Hex } | null)[]
      const isDone = receipts.every((receipt) => receipt !== null)
      const isGood = receipts.every((receipt) => receipt?.status === '0x1')
      const common = { version: '2.0.0', id, chainId: '0x3e7', atomic: true }
      if (!isDone) return { ...common, status: 100 }
      return { ...common, status: isGood ? 200 : 500, receipts }
    },
  }
  const answer = async ({ method, params = [] }: WalletRequest) => {
    asked.push({ method, params })
    try {
      if (behaviour.declines.has(method)) throw new Refusal(4001, 'User rejected the request.')
      const own = methods[method]
      const ask = async () => (own ? own(params) : askNode(method, params))
      const other = behaviour.answers.get(method)
      return { result: await (other ? other(ask, params) : ask()) }
    } catch (error) {
      const { code = -32603, message, data } = error as Refusal
      return { error: { code, message, ...(data && { data }) } }
    }
  }
  return {
    ...{ address: account.address, behaviour, asked, askNode },
    install: async (page) => {
      await page.exposeFunction('askTestWallet', answer)
      await page.addInitScript(announce)
      if (behaviour.isConnected) {
        await page.addInitScript(() => localStorage.setItem('braid.wallet', 'example.wallet'))
      }
    },
  }
}

/** Runs in the page: the provider, and its announcement. */
function announce(): void {
  const world = globalThis as unknown as {
    askTestWallet: (asked: unknown) => Promise<{ result?: unknown; error?: object }>
  }
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const provider = {
    request: async (asked: { readonly method: string }) => {
      const { result, error } = await world.askTestWallet(asked)
      if (error) throw Object.assign(new Error(), error)
      if (asked.method === 'wallet_switchEthereumChain')
        for (const listener of listeners.get('chainChanged') ?? []) listener('0x3e7')
      return result
    },
    on: (event: string, listener: (value: unknown) => void) => {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
    },
    removeListener: (event: string, listener: (value: unknown) => void) =>
      listeners.get(event)?.delete(listener),
  }
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" fill="%237c5cd6"/%3E%3Ccircle cx="4" cy="4" r="2" fill="white"/%3E%3C/svg%3E'
  const info = { uuid: crypto.randomUUID(), name: 'Test Wallet', icon, rdns: 'example.wallet' }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announceIt = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announceIt)
  announceIt()
}
