import type { Hex } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { compilePermitToken } from './permitToken.js'
import { USDC, WHYPE, type World } from './visit.js'
import { visitWithWallet } from './walletVisit.js'

const USDT0 = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'

/** Tests swaps from a wallet of the visitor, each in a browser of its own. */
export function walletTests(world: World): void {
  describe('with a wallet', () => {
    const open = (hash: string, wishes?: Parameters<typeof visitWithWallet>[2]) =>
      visitWithWallet(world, hash, wishes)

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
  })
}
