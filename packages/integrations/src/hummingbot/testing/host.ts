/**
 * Hummingbot's gateway as a connector sees it at commit d265022: its server, its cache of quotes, and its
 * chain with a list of tokens and a wallet. The wallet is an account of a test chain.
 */
import type { DevnetApi } from '@braid-swap/api/testing'
import type { Hex } from '@braid-swap/core'
import Fastify from 'fastify'
import { numberToHex } from 'viem'
import { createRoutes, type HostChain, type Settings } from '../connector.js'

/** The host's chain; a wallet sends, and the receipt is there after the next block. */
export function hostChain(
  { devnet, catchUp }: DevnetApi,
  change: Partial<HostChain> = {},
): HostChain {
  const { client, mine } = devnet
  const named = (name: string) => (token: { readonly symbol: string; readonly address: string }) =>
    [token.symbol, token.address].some((known) => known.toLowerCase() === name.toLowerCase())
  return {
    chainId: 999,
    nativeTokenSymbol: 'HYPE',
    getToken: async (name) => devnet.tokens.find(named(name)),
    getWallet: async (address) => ({
      sendTransaction: async (tx) => {
        const params = [{ ...tx, from: address }] as never
        const hash = await client.request({ method: 'eth_sendTransaction', params })
        return { hash: hash as Hex }
      },
    }),
    prepareGasOptions: async (_gwei, gasLimit) => ({
      gasPrice: numberToHex((await client.getGasPrice()) * 2n),
      gas: numberToHex(gasLimit!),
    }),
    handleTransactionExecution: async ({ hash }) => {
      await mine()
      const receipt = await client.getTransactionReceipt({ hash: hash as Hex })
      await catchUp()
      return { ...receipt, status: receipt.status === 'success' ? 1 : 0 }
    },
    ...change,
  }
}

/** The host's server with the connector's routes, and its cache. */
export async function startHost(
  served: DevnetApi,
  change: Partial<Settings> = {},
  chain: HostChain = hostChain(served),
) {
  const quotes = new Map<string, unknown>()
  const server = Fastify()
  const settings: Settings = {
    ...{ api: served.url, apikey: served.apikey, router: served.devnet.router, slippagePct: 1 },
    ...{ network: 'hyperevm', defaultWallet: served.devnet.wallet.address, quotes },
    chainOf: async () => chain,
    badRequest: (message) => Object.assign(new Error(message), { statusCode: 400 }),
    ...change,
  }
  await server.register(createRoutes(settings), { prefix: '/connectors/braid/router' })
  const ask = async (
    method: 'GET' | 'POST',
    name: string,
    sent: Readonly<Record<string, unknown>>,
  ) => {
    const url = `/connectors/braid/router/${name}`
    const query = Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, `${value}`]))
    const answer = await server.inject(
      method === 'GET' ? { method, url, query } : { method, url, payload: sent },
    )
    return { status: answer.statusCode, body: answer.json() }
  }
  return { quotes, ask, stop: () => server.close() }
}
