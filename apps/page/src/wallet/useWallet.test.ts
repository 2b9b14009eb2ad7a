// @vitest-environment happy-dom
// Which wallets are found, how one is connected, and what its events change.

import { toHex } from '@braid-swap/core/advanced'
import { announceProvider } from 'mipd'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { shown } from '../testing/shown.js'
import type { Provider } from './payer.js'
import { usePayer } from './usePayer.js'
import { useWallet } from './useWallet.js'

const [OWNER, OTHER] = [`0x${'A1'.repeat(20)}`, toHex(2, 20)]
const config = { chainId: 999, demo: null, chain } as PageConfig
afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

type Answers = Readonly<Record<string, unknown>>
const open: Answers = { eth_requestAccounts: [OWNER], eth_accounts: [OWNER], eth_chainId: '0x3e7' }

/** A wallet with these answers; `tell` sends an event, and `asked` has the methods that it was asked. */
function walletOf(name: string, answers: Answers = open) {
  const asked: string[] = []
  const told = new Map<string, Set<(of: unknown) => unknown>>()
  const provider = {
    request: async ({ method }: { readonly method: string }) => {
      asked.push(method)
      const answer = answers[method]
      if (answer === undefined) throw Object.assign(new Error(`no ${method}`), { code: -32601 })
      if (answer instanceof Error) throw answer
      return answer
    },
    on: (event: string, listener: (of: unknown) => unknown) =>
      told.set(event, new Set([...(told.get(event) ?? []), listener])),
    removeListener: (event: string, listener: (of: unknown) => unknown) =>
      told.get(event)?.delete(listener),
  }
  const info = { name, rdns: `example.${name}`, uuid: name, icon: 'data:image/svg+xml,x' as const }
  return {
    ...{ asked, provider, info },
    announce: () =>
      onTestFinished(announceProvider({ info, provider: provider as never }) ?? (() => {})),
    tell: (event: string, of?: unknown) =>
      act(async () => {
        for (const listener of told.get(event) ?? []) await listener(of)
      }),
    listeners: () => [...told.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

/** The connection of a page. */
async function page() {
  let wallet: ReturnType<typeof useWallet> | undefined
  let payer: ReturnType<typeof usePayer>
  const Wallet = () => {
    wallet = useWallet(config)
    payer = usePayer(config, wallet.connected)
    return null
  }
  const on = await shown(h(Wallet, {}))
  const now = () => wallet!
  return {
    ...{ ...on, now },
    payer: () => payer,
    names: () => now().found.map(({ info }) => info.name),
    connect: (place = 0) => {
      let isOpen: boolean | undefined
      return act(async () => {
        isOpen = await now().connect(now().found[place]!)
      }).then(() => isOpen)
    },
  }
}

it('finds each wallet that announces itself once', async () => {
  const fox = walletOf('fox')
  fox.announce()
  const on = await page()
  await act(async () => walletOf('owl').announce())
  expect(on.names()).toEqual(['fox', 'owl'])
  await act(async () => walletOf('fox').announce())
  expect(on.names()).toEqual(['fox', 'owl'])
})

it('knows the wallet of an old browser, until one announces itself', async () => {
  vi.stubGlobal('ethereum', {})
  expect((await page()).names()).toEqual([])
  vi.stubGlobal('ethereum', walletOf('old').provider as unknown as Provider)
  const on = await page()
  expect(on.names()).toEqual(['Browser wallet'])
  await act(async () => walletOf('fox').announce())
  expect(on.names()).toEqual(['fox'])
})

it('a connected wallet pays, in lower case, and is asked again at the next visit', async () => {
  const fox = walletOf('fox')
  fox.announce()
  const on = await page()
  expect([on.payer(), fox.asked]).toEqual([undefined, []])
  expect(await on.connect()).toBe(true)
  const address = OWNER.toLowerCase()
  expect(on.now()).toMatchObject({ connected: { address, chainId: 999, canBatch: false } })
  expect([on.now().asked, on.now().error]).toEqual([undefined, undefined])
  expect(on.payer()).toMatchObject({ kind: 'wallet', address, canBatch: false })
  const later = await page()
  await expect.poll(() => later.now().connected).toBeTruthy()
  // It is not opened again.
  expect(fox.asked.filter((method) => method === 'eth_requestAccounts')).toHaveLength(1)
  await act(async () => later.now().disconnect())
  expect([later.now().connected, later.payer()]).toEqual([undefined, undefined])
  expect((await page()).now().connected).toBeUndefined()
})

it('a wallet that was not connected is not asked', async () => {
  const [fox, owl] = [walletOf('fox'), walletOf('owl')]
  fox.announce()
  owl.announce()
  await (await page()).connect(1)
  const later = await page()
  await expect.poll(() => later.now().connected).toBeTruthy()
  expect(later.now().connected?.wallet.info.name).toBe('owl')
  expect(fox.asked).toEqual([])
})

it('a wallet that was locked since is no error', async () => {
  const answers = { ...open }
  walletOf('fox', answers).announce()
  await (await page()).connect()
  answers['eth_accounts'] = []
  const later = await page()
  await act(async () => {})
  expect([later.now().connected, later.now().error]).toEqual([undefined, undefined])
})

it.each([
  ['shares no account', { eth_requestAccounts: [] }, 'WALLET_LOCKED'],
  [
    'was refused by its owner',
    { eth_requestAccounts: Object.assign(new Error('no'), { code: 4001 }) },
    'WALLET_REJECTED',
  ],
])('a wallet that %s is not connected, and the page says why', async (_, change, code) => {
  const answers: Record<string, unknown> = { ...open, ...change }
  walletOf('fox', answers).announce()
  const on = await page()
  expect(await on.connect()).toBe(false)
  expect(on.now()).toMatchObject({ connected: undefined, asked: undefined, error: { code } })
  answers['eth_requestAccounts'] = [OWNER]
  expect(await on.connect()).toBe(true)
  expect(on.now().error).toBeUndefined()
})

it('while it is asked, the page knows which one is', async () => {
  let answer: (accounts: readonly string[]) => void = () => {}
  const accounts = new Promise((done) => {
    answer = done
  })
  walletOf('fox', { ...open, eth_requestAccounts: accounts }).announce()
  const on = await page()
  let isDone: Promise<boolean> | undefined
  await act(async () => {
    isDone = on.now().connect(on.now().found[0]!)
  })
  expect(on.now().asked?.info.name).toBe('fox')
  await act(async () => {
    answer([OWNER])
    await isDone
  })
  expect(on.now().asked).toBeUndefined()
})

it.each([
  ['supported', true],
  ['ready', true],
  ['unsupported', false],
])('a wallet whose bundles are %s executes them: %s', async (status, canBatch) => {
  const capabilities = { '0x3e7': { atomic: { status } } }
  walletOf('fox', { ...open, wallet_getCapabilities: capabilities }).announce()
  const on = await page()
  await on.connect()
  expect([on.now().connected?.canBatch, on.payer()?.canBatch]).toEqual([canBatch, canBatch])
})

it('follows the account and the chain, and pays only on ours', async () => {
  const fox = walletOf('fox')
  fox.announce()
  const on = await page()
  await on.connect()
  await fox.tell('accountsChanged', [OTHER])
  expect(on.now().connected).toMatchObject({ address: OTHER, chainId: 999 })
  await fox.tell('chainChanged', '0x1')
  expect([on.now().connected?.chainId, on.payer()]).toEqual([1, undefined])
  await fox.tell('chainChanged', '0x3e7')
  expect(on.payer()?.address).toBe(OTHER)
})

it.each([
  ['is locked', 'accountsChanged', 'WALLET_LOCKED'],
  ['goes away', 'disconnect', 'WALLET_DISCONNECTED'],
])('a wallet that %s is left, and its events with it', async (_, event, code) => {
  const fox = walletOf('fox')
  fox.announce()
  const on = await page()
  await on.connect()
  expect(fox.listeners()).toBe(3)
  await fox.tell(event, [])
  expect(on.now()).toMatchObject({ connected: undefined, error: { code } })
  expect(fox.listeners()).toBe(0)
  await act(async () => on.now().disconnect())
  expect(on.now().error).toBeUndefined()
})

it('asks the wallet to use our chain, and believes only what it says then', async () => {
  const answers: Record<string, unknown> = { ...open, eth_chainId: '0x1' }
  const fox = walletOf('fox', answers)
  fox.announce()
  const on = await page()
  const switchChain = () => act(async () => on.now().switchChain())
  await switchChain()
  expect(fox.asked).toEqual([])
  await on.connect()
  answers['wallet_switchEthereumChain'] = Object.assign(new Error('no'), { code: 4001 })
  await switchChain()
  expect(on.now()).toMatchObject({ connected: { chainId: 1 }, error: { code: 'WALLET_REJECTED' } })
  answers['wallet_switchEthereumChain'] = null
  await switchChain()
  expect(on.now()).toMatchObject({ connected: { chainId: 1 }, error: undefined })
  answers['eth_chainId'] = '0x3e7'
  await switchChain()
  expect(on.now().connected?.chainId).toBe(999)
})
