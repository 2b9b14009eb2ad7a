// What a wallet is asked when it has to use our chain.

import { expect, it } from 'vitest'
import { chain } from '../testing/chain.js'
import { addNetwork, explorerUrl, switchWallet, walletChain } from './chain.js'
import { clientOf, type Provider } from './payer.js'

const own = {
  chainId: 999,
  chain: { ...chain, rpcUrl: 'http://10.0.0.1:8545', explorer: null },
}
const open = { chainId: 999, chain }
const unknown = () => Object.assign(new Error('Unrecognized chain'), { code: 4902 })

/** A wallet that does not know our chain until it is added; `asked` has what it was asked. */
function walletOf({ follows = false, refuses = false } = {}) {
  const asked: (readonly [string, unknown])[] = []
  let [isKnown, isOurs] = [false, false]
  const request = async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
    asked.push([method, params?.[0]])
    if (refuses) throw Object.assign(new Error('no'), { code: 4001 })
    if (method === 'eth_chainId') return isOurs ? '0x3e7' : '0x1'
    if (method === 'wallet_addEthereumChain') isKnown = true
    else if (!isKnown) throw unknown()
    isOurs = method === 'wallet_switchEthereumChain' || follows
    return null
  }
  const methods = () => asked.map(([method]) => method)
  return { client: clientOf({ request } as unknown as Provider), asked, methods }
}

it('a chain that the wallet does not know is added, and then used', async () => {
  const { client, asked, methods } = walletOf()
  await switchWallet(client, open)
  expect(methods()).toEqual([
    ...['wallet_switchEthereumChain', 'wallet_addEthereumChain'],
    ...['eth_chainId', 'wallet_switchEthereumChain'],
  ])
  expect(asked[0]![1]).toEqual({ chainId: '0x3e7' })
  expect(asked[1]![1]).toMatchObject({
    ...{ chainId: '0x3e7', chainName: 'HyperEVM', rpcUrls: ['https://rpc.hyperliquid.xyz/evm'] },
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
    blockExplorerUrls: ['https://hyperevmscan.io'],
  })
})

it('a wallet that uses the chain once it is added is not asked again', async () => {
  const { client, methods } = walletOf({ follows: true })
  await switchWallet(client, open)
  expect(methods().slice(2)).toEqual(['eth_chainId'])
})

it('a refusal is not a missing chain', async () => {
  const { client, methods } = walletOf({ refuses: true })
  await expect(switchWallet(client, open)).rejects.toMatchObject({ code: 'WALLET_REJECTED' })
  expect(methods()).toEqual(['wallet_switchEthereumChain'])
  await expect(addNetwork(client, open)).rejects.toMatchObject({ code: 'WALLET_REJECTED' })
})

it('a chain that no public explorer shows has no links', async () => {
  const { client, asked } = walletOf()
  await addNetwork(client, own)
  expect(asked[0]![1]).toMatchObject({ rpcUrls: [own.chain.rpcUrl] })
  expect(walletChain(own).blockExplorers).toBeUndefined()
  expect(explorerUrl(own, '0xab')).toBeUndefined()
  expect(explorerUrl(open, '0xab')).toBe('https://hyperevmscan.io/tx/0xab')
})
