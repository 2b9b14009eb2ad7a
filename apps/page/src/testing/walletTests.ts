import type { Hex } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { compilePermitToken } from './permitToken.js'
import { createTestWallet, type TestWallet } from './testWallet.js'
import { openPage, PURR, USDC, type Visit, WHYPE, type World } from './visit.js'

const USDT0 = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'

/** The fields of the API about big blocks. */
type SwapMeta = {
  readonly warnings: { readonly code: string; readonly message: string }[]
  readonly wallet: { usingBigBlocks: boolean | null }
}

/** Tests swaps from a wallet of the visitor, one after the other in one tab. */
export function walletTests(world: World): void {
  describe('with a wallet', () => {
    let on: Visit
    let wallet: TestWallet
    const complaints: string[] = []
    const strangers: string[] = []
    beforeAll(async () => {
      const { demo } = world.running()
      wallet = createTestWallet(demo.rpcUrl, demo.privateKey)
      // USD₮0 takes permits on HyperEVM.
      await wallet.askNode('anvil_setCode', [USDT0, compilePermitToken()])
      // Embedded, because drawing the pictures costs more than the rest of these tests.
      on = await openPage(world, `?embed=1#src=${USDC}&dst=${WHYPE}&amount=100&slippage=1`, {
        prepare: async (page) => {
          page.on('pageerror', (error) => complaints.push(error.message))
          page.on('console', (said) => {
            if (/Content Security Policy/.test(said.text())) complaints.push(said.text())
          })
          page.on('request', (request) => {
            const url = request.url()
            if (!url.startsWith(demo.url) && !url.startsWith('data:')) strangers.push(url)
          })
          await wallet.install(page)
        },
      })
    })
    afterAll(() => on?.close())
    afterEach(() => {
      wallet.behaviour.declines.clear()
      wallet.behaviour.waits.clear()
      expect([complaints, strangers]).toEqual([[], []])
    })

    const button = (name: string | RegExp) => on.page.getByRole('button', { name, exact: true })
    const primary = () => on.page.locator('.send .primary')
    /** Opens another order in the same tab, when its quote is there. */
    const follow = async (hash: string) => {
      await on.page.evaluate((to) => location.assign(to), hash)
      await on.page.waitForFunction((token) => location.hash.includes(token), hash.slice(0, 40))
      await on.page.waitForTimeout(300)
      await on.quoted()
    }
    const alert = () => on.page.locator('.error').first()
    const says = async (...words: readonly RegExp[]) => {
      await alert().waitFor()
      // Twice the same error would look like two.
      expect(await on.page.locator('.error').count()).toBe(1)
      const text = await alert().textContent()
      for (const word of words) expect(text).toMatch(word)
    }
    /** Presses the swap button and waits for what arrives, in whole tokens. */
    const swap = async (name: string) => {
      await button(name).click()
      await on.page.getByTestId('arrived').waitFor()
      const [quoted, received] = [await on.text('quoted'), await on.text('received')]
      expect(await on.received()).toBeGreaterThan(0)
      return { quoted, received }
    }
    const allowance = async (token: string, spender: string) => {
      const word = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
      const data = `0xdd62ed3e${word(wallet.address)}${word(spender)}`
      return BigInt((await wallet.askNode('eth_call', [{ to: token, data }, 'latest'])) as Hex)
    }
    const asked = (method: string) => wallet.asked.filter((each) => each.method === method)

    it('a wallet that waits, and then declines, is explained; then it connects', async () => {
      await on.quoted()
      wallet.behaviour.chainId = 1
      wallet.behaviour.knowsChain = false
      await button('Connect wallet').first().click()
      wallet.behaviour.waits.add('eth_requestAccounts')
      await button(/^Test Wallet/).click()
      await says(/waits for an answer/, /unlock it/)
      wallet.behaviour.waits.clear()
      wallet.behaviour.declines.add('eth_requestAccounts')
      await button(/^Test Wallet/).click()
      await says(/Declined in the wallet/)
      wallet.behaviour.declines.clear()
      await button(/^Test Wallet/).click()
      await on.page.getByTestId('wrong-chain').waitFor()
      expect(await on.page.getByTestId('wrong-chain').textContent()).toMatch(/chain 1\..*chain 999/)
    })

    it('on another chain, nothing is sent before it switches, and it learns the chain', async () => {
      expect(await on.page.locator('.send .primary').count()).toBe(1)
      wallet.behaviour.declines.add('wallet_addEthereumChain')
      await button('Switch to HyperEVM').click()
      await says(/Declined in the wallet/)
      wallet.behaviour.declines.clear()
      await button('Switch to HyperEVM').click()
      await on.page.getByTestId('wrong-chain').waitFor({ state: 'detached' })
      expect(asked('wallet_addEthereumChain').at(-1)?.params).toMatchObject([
        { chainId: '0x3e7', rpcUrls: [world.running().demo.rpcUrl] },
      ])
      expect(asked('eth_sendTransaction')).toEqual([])
    })

    it('declined approvals and swaps send nothing; then it approves exactly and swaps', async () => {
      await on.quoted()
      wallet.behaviour.declines.add('eth_sendTransaction')
      await button('Approve, then swap').click()
      await says(/Declined in the wallet, so the swap was not sent/, /Start again/)
      wallet.behaviour.declines.clear()
      await swap('Approve, then swap')
      const [, approval, sent] = asked('eth_sendTransaction').map(({ params }) => params[0])
      expect(approval).toMatchObject({ to: USDC, value: '0x0' })
      expect((approval as { data: Hex }).data).toMatch(/^0x095ea7b3.*0{57}5f5e100$/)
      const { router } = (await (await fetch(`${world.running().demo.url}/page.json`)).json()) as {
        readonly router: string
      }
      expect(sent).toMatchObject({ to: router })
      expect(await allowance(USDC, router)).toBe(0n)
    })

    it('a permit is preferred to an approval, and nothing remains', async () => {
      expect(await on.text('arrived')).not.toContain('earlier')
      await follow(`#src=${USDT0}&dst=${WHYPE}&amount=90&slippage=1`)
      // The receipt of the swap before says so under another order.
      expect(await on.text('arrived')).toMatch(/^Your earlier swap of 100 USDC/)
      await button('Sign and swap').waitFor()
      const before = asked('eth_sendTransaction').length
      wallet.behaviour.declines.add('eth_signTypedData_v4')
      await button('Sign and swap').click()
      await says(/Declined/)
      wallet.behaviour.declines.clear()
      await swap('Sign and swap')
      expect(asked('eth_sendTransaction').length).toBe(before + 1)
      const text = asked('eth_signTypedData_v4').at(-1)?.params[1]
      expect(JSON.parse(`${text}`)).toMatchObject({
        primaryType: 'Permit',
        domain: { name: 'USDT0', version: '2' },
        message: { value: '90000000' },
      })
    })

    it('Permit2 can be chosen, which leaves no approval for the router', async () => {
      await follow(`#src=${PURR}&dst=${WHYPE}&amount=500&slippage=1`)
      await on.page.getByLabel('Permit2 signature').check()
      await swap('Sign and swap')
      expect(await allowance(PURR, PERMIT2)).toBe(0n)
      const text = asked('eth_signTypedData_v4').at(-1)?.params[1]
      expect(JSON.parse(`${text}`).primaryType).toBe('PermitTransferFrom')
    })

    it('a receiver gets the output, and a wrong one stops the swap', async () => {
      const receiver = `0x${'ab'.repeat(20)}`
      await follow(`#dst=${USDC}&amount=2&slippage=1&receiver=${receiver}`)
      expect(await on.text('link-receiver')).toContain(receiver)
      await button('Send it to me').click()
      expect(await on.page.getByTestId('link-receiver').count()).toBe(0)
      await button('Send to another address').click()
      await on.page.getByLabel('Receiver', { exact: true }).fill(USDC)
      expect(await on.text('refusal')).toMatch(/would lose the tokens: .*token out/)
      expect(await primary().isEnabled()).toBe(false)
      await on.page.getByLabel('Receiver', { exact: true }).fill(receiver)
      await on.page.getByText('not to your account').waitFor()
      const { received } = await swap('Swap')
      const word = receiver.slice(2).padStart(64, '0')
      const call = { to: USDC, data: `0x70a08231${word}` }
      const balance = BigInt((await wallet.askNode('eth_call', [call, 'latest'])) as Hex)
      expect(`${Number(balance) / 1e6} USDC`).toBe(received.replace(',', ''))
      await button('My own account').click()
    })

    it('a wallet with EIP-5792 approves and swaps in one confirmation', async () => {
      wallet.behaviour.canBatch = true
      await wallet.emit(on.page, 'accountsChanged', [wallet.address])
      await follow(`#src=${USDC}&dst=${WHYPE}&amount=120&slippage=1`)
      // The payment chosen before stays chosen.
      await on.page.getByLabel('One confirmation').check()
      wallet.behaviour.declines.add('wallet_sendCalls')
      await button('Approve and swap').click()
      await says(/Declined/)
      wallet.behaviour.declines.clear()
      const before = asked('eth_sendTransaction').length
      await swap('Approve and swap')
      expect(asked('wallet_sendCalls').at(-1)?.params).toMatchObject([
        { atomicRequired: true, chainId: '0x3e7', calls: [{ to: USDC }, {}] },
      ])
      expect(asked('eth_sendTransaction').length).toBe(before)
      wallet.behaviour.canBatch = false
      await wallet.emit(on.page, 'accountsChanged', [wallet.address])
    })

    it('big blocks are explained, if the swap needs one or the wallet sends into them', async () => {
      await follow(`#dst=${USDC}&amount=3&slippage=1`)
      // The devnet has no big blocks, so its answers get what the API adds on HyperEVM.
      const answerWith = (change: (meta: SwapMeta) => void) =>
        on.page.route('**/swap?**', async (route) => {
          const response = await route.fetch()
          const body = (await response.json()) as { readonly meta: SwapMeta }
          change(body.meta)
          await route.fulfill({ response, json: body })
        })
      await answerWith(({ warnings }) => {
        warnings.push({ code: 'BIG_BLOCK_REQUIRED', message: 'needs a big block' })
      })
      const before = asked('eth_sendTransaction').length
      await button('Swap').click()
      await says(/does not fit into a small block, so it was not sent/, /evmUserModify/)
      expect(asked('eth_sendTransaction').length).toBe(before)
      await on.page.unroute('**/swap?**')
      await answerWith(({ wallet: of }) => {
        of.usingBigBlocks = true
      })
      await button('Swap').click()
      expect(await on.text('big-block')).toMatch(/once a minute.*below the minimum received/s)
      await on.page.getByTestId('arrived').waitFor()
      await on.page.unroute('**/swap?**')
    })

    it('a chain that changes behind the page stops the swap', async () => {
      await follow(`#dst=${USDC}&amount=1&slippage=1`)
      wallet.behaviour.chainId = 1
      const before = asked('eth_sendTransaction').length
      await button('Swap').click()
      await says(/another network, so the swap was not sent/, /Switch the wallet/)
      expect(asked('eth_sendTransaction').length).toBe(before)
      wallet.behaviour.chainId = 999
    })

    it('a transaction that never reaches the network is reported, with what to do', async () => {
      wallet.behaviour.drops = true
      await button('Swap').click()
      await says(/does not have the transaction/, /activity of your wallet/, /swap twice/)
      wallet.behaviour.drops = false
    })

    it('is remembered at the next visit, and locking it disconnects', async () => {
      await on.page.reload()
      await on.page.getByText(wallet.address.slice(0, 6).toLowerCase()).waitFor()
      await on.quoted()
      wallet.behaviour.isLocked = true
      await wallet.emit(on.page, 'accountsChanged', [])
      await on.page.getByText('Your wallet is locked or shares no account').waitFor()
      wallet.behaviour.isLocked = false
      await button('Connect wallet').first().click()
      await button(/^Test Wallet/).click()
      await button(/^Wallet 0x/).click()
      await button('Disconnect').click()
      await button('Connect wallet').first().waitFor()
    })
  })
}
