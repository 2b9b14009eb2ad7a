// Wallets as their users have them: clients of viem over a node and over a browser's wallet, a plain
// EIP-1193 provider, and the clients and connectors of wagmi.

import { createWalletClient, custom, type EIP1193Provider, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hyperEvm } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createConfig, injected } from 'wagmi'
import {
  connect,
  getAccount,
  getConnectorClient,
  getPublicClient,
  getWalletClient,
} from 'wagmi/actions'
import {
  AMOUNT,
  borrowForFile,
  chain,
  FEE,
  held,
  honest,
  LOST,
  wrap,
} from '../testing/sendWorld.js'
import { verifyRouter } from '../verifyRouter.js'
import { sendSwap } from './sendSwap.js'
import type { SwapWallet } from './wallet.js'

borrowForFile()

/** A browser's wallet, whose node signs. It answers `eth_sendTransaction` as told. */
function browserWallet(answer: (hash: Promise<unknown>) => unknown = (hash) => hash) {
  const asked: string[] = []
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    asked.push(method)
    if (/^eth_(requestA|a)ccounts$/.test(method)) return [chain.devnet.wallet.address]
    if (method === 'wallet_requestPermissions') return []
    const result = chain.devnet.client.request({ method, params } as never)
    return method === 'eth_sendTransaction' ? answer(result) : result
  }
  const provider = { request, on: () => provider, removeListener: () => provider }
  return { provider: provider as unknown as EIP1193Provider, asked }
}

/** A site's configuration of wagmi, connected to a browser's wallet. */
async function connectWagmi({ provider }: ReturnType<typeof browserWallet>) {
  const target = { id: 'test', name: 'Test', provider } as const
  const config = createConfig({
    chains: [hyperEvm],
    connectors: [injected({ target: () => target })],
    transports: { [hyperEvm.id]: http(chain.devnet.rpcUrl) },
  })
  await connect(config, { connector: config.connectors[0]! })
  return config
}

/** Wraps HYPE by a wallet, and counts what was sent. */
async function wrapBy(wallet: SwapWallet) {
  const { router, wrappedNative, client } = chain.devnet
  const [before, { timestamp }] = await Promise.all([held(), client.getBlock()])
  const terms = {
    ...{ router, wrappedNative, minAmountOut: AMOUNT, maxNetworkFee: FEE },
    latestDeadline: timestamp + 1_200n,
  }
  const options = { braid: { swap: honest }, pollMs: 20 }
  const { amountOut } = await sendSwap(wallet, wrap(), terms, options)
  return { amountOut, transactions: (await held()).nonce - before.nonce }
}

const ONE_SWAP = { amountOut: AMOUNT, transactions: 1 }

const lost = async (hash: Promise<unknown>) => {
  await hash
  throw LOST()
}

describe('sendSwap by a client of viem', () => {
  it('with a private key', async () => {
    const account = privateKeyToAccount(chain.devnet.wallet.privateKey)
    const transport = http(chain.devnet.rpcUrl)
    expect(await wrapBy(createWalletClient({ account, chain: hyperEvm, transport }))).toEqual(
      ONE_SWAP,
    )
  })

  it('over a browser’s wallet, which is asked once, even if its answer is lost', async () => {
    for (const answer of [undefined, lost]) {
      const { provider, asked } = browserWallet(answer)
      const account = chain.devnet.wallet.address
      const client = createWalletClient({ account, chain: hyperEvm, transport: custom(provider) })
      expect(await wrapBy(client)).toEqual(ONE_SWAP)
      expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
    }
  })

  it('without an account does not compile', () => {
    const client = createWalletClient({ chain: hyperEvm, transport: http(chain.devnet.rpcUrl) })
    // @ts-expect-error a wallet that signs for nobody
    const wallet: SwapWallet = client
    expect(wallet.account).toBeUndefined()
  })
})

it('sendSwap by an EIP-1193 provider and an address', async () => {
  const { provider } = browserWallet()
  const { request } = provider
  expect(await wrapBy({ account: chain.devnet.wallet.address, request })).toEqual(ONE_SWAP)
})

describe('sendSwap by wagmi', () => {
  // Its connectors for browsers do nothing where there is none.
  beforeAll(() => void vi.stubGlobal('window', new EventTarget()))
  afterAll(() => void vi.unstubAllGlobals())

  it('with its wallet client, which is asked once, even if its answer is lost', async () => {
    for (const answer of [undefined, lost]) {
      const wallet = browserWallet(answer)
      const config = await connectWagmi(wallet)
      await verifyRouter(getPublicClient(config), chain.devnet)
      expect(await wrapBy(await getWalletClient(config))).toEqual(ONE_SWAP)
      expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
    }
  })

  it('with its connector’s client and with its provider', async () => {
    const config = await connectWagmi(browserWallet())
    expect(await wrapBy(await getConnectorClient(config))).toEqual(ONE_SWAP)
    const { connector, address } = getAccount(config)
    const { request } = (await connector!.getProvider()) as EIP1193Provider
    expect(await wrapBy({ account: address!, request })).toEqual(ONE_SWAP)
  })
})
