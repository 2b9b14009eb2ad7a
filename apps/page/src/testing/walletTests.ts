import type { Hex } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { compilePermitToken } from './permitToken.js'
import { PURR, USDC, WHYPE, type World } from './visit.js'
import { visitWithWallet } from './walletVisit.js'

const USDT0 = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'

/** The fields of the API about big blocks. */
type SwapMeta = {
  readonly warnings: { readonly code: string; readonly message: string }[]
  readonly wallet: { usingBigBlocks: boolean | null }
}

/** Changes what the API adds to the transactions that it builds. */
const answerWith = (page: Page, change: (meta: SwapMeta) => void) =>
  page.route('**/swap?**', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { readonly meta: SwapMeta }
    change(body.meta)
    await route.fulfill({ response, json: body })
  })

/** Tests swaps from a wallet of the visitor, each in a browser of its own. */
export function walletTests(world: World): void {
  describe('with a wallet', () => {
    const open = (hash: string, wishes?: Parameters<typeof visitWithWallet>[2]) =>
      visitWithWallet(world, hash, wishes)

    it('a wallet that waits, and then declines, is explained; then it connects', async () => {
      const on = await open(`#dst=${USDC}&amount=1`, { isConnected: false })
      const { behaviour } = on.wallet
      behaviour.chainId = 1
      await on.quoted()
      await on.button('Connect wallet').first().click()
      behaviour.waits.add('eth_requestAccounts')
      await on.button(/^Test Wallet/).click()
      await on.says(/waits for an answer/, /unlock it/)
      behaviour.waits.clear()
      behaviour.declines.add('eth_requestAccounts')
      await on.button(/^Test Wallet/).click()
      await on.says(/Declined in the wallet/)
      behaviour.declines.clear()
      await on.button(/^Test Wallet/).click()
      await on.page.getByTestId('wrong-chain').waitFor()
      expect(await on.text('wrong-chain')).toMatch(/chain 1\..*chain 999/)
    })

    it('on another chain, nothing is sent before it switches, and it learns the chain', async () => {
      const on = await open(`#dst=${USDC}&amount=1`, {
        prepare: (_, { behaviour }) => Object.assign(behaviour, { chainId: 1, knowsChain: false }),
      })
      const { behaviour } = on.wallet
      await on.page.getByTestId('wrong-chain').waitFor()
      expect(await on.page.locator('.send .primary').count()).toBe(1)
      behaviour.declines.add('wallet_addEthereumChain')
      await on.button('Switch to HyperEVM').click()
      await on.says(/Declined in the wallet/)
      behaviour.declines.clear()
      await on.button('Switch to HyperEVM').click()
      await on.page.getByTestId('wrong-chain').waitFor({ state: 'detached' })
      expect(on.asked('wallet_addEthereumChain').at(-1)?.params).toMatchObject([
        { chainId: '0x3e7', rpcUrls: [world.running().demo.rpcUrl] },
      ])
      expect(on.asked('eth_sendTransaction')).toEqual([])
    })

    it('declined approvals and swaps send nothing; then it approves exactly and swaps', async () => {
      const on = await open(`#src=${USDC}&dst=${WHYPE}&amount=100&slippage=1`)
      await on.quoted()
      on.wallet.behaviour.declines.add('eth_sendTransaction')
      await on.button('Approve, then swap').click()
      await on.says(/Declined in the wallet, so the swap was not sent/, /Start again/)
      on.wallet.behaviour.declines.clear()
      await on.swapBy('Approve, then swap')
      const [, approval, sent] = on.asked('eth_sendTransaction').map(({ params }) => params[0])
      expect(approval).toMatchObject({ to: USDC, value: '0x0' })
      expect((approval as { data: Hex }).data).toMatch(/^0x095ea7b3.*0{57}5f5e100$/)
      const { router } = (await (await fetch(`${world.running().demo.url}/page.json`)).json()) as {
        readonly router: string
      }
      expect(sent).toMatchObject({ to: router })
      expect(await on.allowance(USDC, router)).toBe(0n)
      // The receipt of this swap says so under another order.
      expect(await on.text('arrived')).not.toContain('earlier')
      await on.amount.fill('90')
      await on.page.getByText(/^Your earlier swap of 100 USDC/).waitFor()
    })

    it('a permit is preferred to an approval, and nothing remains', async () => {
      const on = await open(`#src=${USDT0}&dst=${WHYPE}&amount=90&slippage=1`, {
        // USD₮0 takes permits on HyperEVM.
        prepare: (_, { askNode }) => askNode('anvil_setCode', [USDT0, compilePermitToken()]),
      })
      await on.quoted()
      await on.button('Sign and swap').waitFor()
      on.wallet.behaviour.declines.add('eth_signTypedData_v4')
      await on.button('Sign and swap').click()
      await on.says(/Declined/)
      on.wallet.behaviour.declines.clear()
      await on.swapBy('Sign and swap')
      expect(on.asked('eth_sendTransaction').length).toBe(1)
      const text = on.asked('eth_signTypedData_v4').at(-1)?.params[1]
      expect(JSON.parse(`${text}`)).toMatchObject({
        primaryType: 'Permit',
        domain: { name: 'USDT0', version: '2' },
        message: { value: '90000000' },
      })
    })

    it('Permit2 can be chosen, which leaves no approval for the router', async () => {
      const on = await open(`#src=${PURR}&dst=${WHYPE}&amount=500&slippage=1`)
      await on.quoted()
      await on.page.getByLabel('Permit2 signature').check()
      await on.swapBy('Sign and swap')
      expect(await on.allowance(PURR, PERMIT2)).toBe(0n)
      const text = on.asked('eth_signTypedData_v4').at(-1)?.params[1]
      expect(JSON.parse(`${text}`).primaryType).toBe('PermitTransferFrom')
    })

    it('a receiver gets the output, and a wrong one stops the swap', async () => {
      const receiver = `0x${'ab'.repeat(20)}`
      const on = await open(`#dst=${USDC}&amount=2&slippage=1&receiver=${receiver}`)
      await on.quoted()
      expect(await on.text('link-receiver')).toContain(receiver)
      await on.button('Send it to me').click()
      expect(await on.page.getByTestId('link-receiver').count()).toBe(0)
      await on.button('Send to another address').click()
      await on.page.getByLabel('Receiver', { exact: true }).fill(USDC)
      expect(await on.text('refusal')).toMatch(/would lose the tokens: .*token out/)
      expect(await on.page.locator('.send .primary').isEnabled()).toBe(false)
      await on.page.getByLabel('Receiver', { exact: true }).fill(receiver)
      await on.page.getByText('not to your account').waitFor()
      const { received } = await on.swapBy('Swap')
      const word = receiver.slice(2).padStart(64, '0')
      const call = { to: USDC, data: `0x70a08231${word}` }
      const balance = BigInt((await on.wallet.askNode('eth_call', [call, 'latest'])) as Hex)
      expect(`${Number(balance) / 1e6} USDC`).toBe(received.replace(',', ''))
    })

    it('a wallet with EIP-5792 approves and swaps in one confirmation', async () => {
      const on = await open(`#src=${USDC}&dst=${WHYPE}&amount=120&slippage=1`, {
        prepare: (_, { behaviour }) => Object.assign(behaviour, { canBatch: true }),
      })
      await on.quoted()
      on.wallet.behaviour.declines.add('wallet_sendCalls')
      await on.button('Approve and swap').click()
      await on.says(/Declined/)
      on.wallet.behaviour.declines.clear()
      await on.swapBy('Approve and swap')
      expect(on.asked('wallet_sendCalls').at(-1)?.params).toMatchObject([
        { atomicRequired: true, chainId: '0x3e7', calls: [{ to: USDC }, {}] },
      ])
      expect(on.asked('eth_sendTransaction').length).toBe(0)
    })

    // The devnet has no big blocks, so its answers get what the API adds on HyperEVM.
    it('a swap that needs a big block is not sent, and says so', async () => {
      const on = await open(`#dst=${USDC}&amount=3&slippage=1`)
      await on.quoted()
      await answerWith(on.page, ({ warnings }) => {
        warnings.push({ code: 'BIG_BLOCK_REQUIRED', message: 'needs a big block' })
      })
      await on.button('Swap').click()
      await on.says(/does not fit into a small block, so it was not sent/, /needs a big block/)
      expect(on.asked('eth_sendTransaction')).toEqual([])
    })

    it('a wallet that sends into big blocks is told how long it takes', async () => {
      const on = await open(`#dst=${USDC}&amount=3&slippage=1`)
      await on.quoted()
      await answerWith(on.page, ({ wallet: of }) => {
        of.usingBigBlocks = true
      })
      const { answers } = on.wallet.behaviour
      answers.set('eth_getTransactionReceipt', () => null)
      await on.button('Swap').click()
      expect(await on.text('big-block')).toMatch(/one in 60 s.*below the minimum received/s)
      answers.clear()
      await on.page.getByTestId('arrived').waitFor()
    })

    it('a chain that changes behind the page stops the swap', async () => {
      const on = await open(`#dst=${USDC}&amount=1&slippage=1`)
      await on.quoted()
      on.wallet.behaviour.chainId = 1
      await on.button('Swap').click()
      await on.says(/another network, so the swap was not sent/, /Switch the wallet/)
      expect(on.asked('eth_sendTransaction')).toEqual([])
    })

    it('is remembered at the next visit, and locking it disconnects', async () => {
      const on = await open(`#dst=${USDC}&amount=1&slippage=1`, { isConnected: false })
      await on.button('Connect wallet').first().click()
      await on.button(/^Test Wallet/).click()
      await on.button(/^Wallet 0x/).waitFor()
      await on.page.reload()
      await on.page.getByText(on.wallet.address.slice(0, 6).toLowerCase()).waitFor()
      await on.quoted()
      on.wallet.behaviour.isLocked = true
      await on.wallet.emit(on.page, 'accountsChanged', [])
      await on.page.getByText('Your wallet is locked or shares no account').waitFor()
      on.wallet.behaviour.isLocked = false
      await on.button('Connect wallet').first().click()
      await on.button(/^Test Wallet/).click()
      await on.button(/^Wallet 0x/).click()
      await on.button('Disconnect').click()
      await on.button('Connect wallet').first().waitFor()
    })
  })
}
