import { describe, expect, it } from 'vitest'
import { USDC, type World } from './visit.js'
import { visitWithWallet, type WalletVisit } from './walletVisit.js'

const ORDER = `#dst=${USDC}&amount=2&slippage=1`

/** Waits until the last swaps say `words`; the entry of one that arrived is closed. */
const listSays = ({ page }: WalletVisit, words: string | RegExp) =>
  page.getByTestId('swaps').getByText(words).first().waitFor({ state: 'attached' })

/** Waits until the page says that the order was sent already, and cannot be sent again. */
async function blocked(on: WalletVisit) {
  await on.page
    .getByTestId('blocked')
    .getByText(/under “Your swaps”/)
    .waitFor()
  expect(await on.button('Swap').isDisabled()).toBe(true)
}

/** Holds the wallet's answers to `method` back until `release` is called. */
function holding({ wallet }: WalletVisit, method: string) {
  let release = () => {}
  const isFree = new Promise<void>((done) => {
    release = done
  })
  wallet.behaviour.answers.set(method, (ask) => isFree.then(ask))
  return release
}

/**
 * Makes the wallet's node know a transaction, but no block with it, until the returned call. The demo's account
 * is the same one, and is the payer until the wallet is found after a reload, so its node says nothing.
 */
async function keepPending({ page, wallet: { behaviour } }: WalletVisit) {
  await page.route('**/demo/rpc', (route) => route.abort())
  behaviour.answers.set('eth_getTransactionReceipt', () => null)
  behaviour.answers.set('eth_getTransactionByHash', async (ask) => {
    const tx = (await ask()) as object | null
    return tx && { ...tx, blockHash: null, blockNumber: null, transactionIndex: null }
  })
  return () => behaviour.answers.clear()
}

/** Tests what only browsers have, tabs and reloads: one swap and a true sentence. How swaps end, `sendSwap.test` asks. */
export function outcomeTests(world: World): void {
  describe('one swap and a true sentence', () => {
    const open = () => visitWithWallet(world, ORDER)
    const sent = (on: WalletVisit) => on.asked('eth_sendTransaction').length

    it('two tabs: one of them sends, the other says so, and both know how it ends', async () => {
      const one = await open()
      const context = one.page.context()
      const two = await visitWithWallet(world, ORDER, { context, wallet: one.wallet })
      await one.quoted()
      await two.quoted()
      const release = holding(one, 'eth_sendTransaction')
      await Promise.all([one.button('Swap').click(), two.button('Swap').click()])
      const refusal = /The same swap is under way, so it was not sent again|You sent this order at/
      await expect
        .poll(async () =>
          Promise.all([one, two].map(({ page }) => page.getByText(refusal).count())),
        )
        .toContain(1)
      release()
      await Promise.all([listSays(one, 'Received'), listSays(two, 'Received')])
      expect(sent(one)).toBe(1)
      const arrived = [one, two].map(({ page }) => page.getByTestId('arrived').count())
      expect((await Promise.all(arrived)).sort()).toEqual([0, 1])
    })

    it('reload while pending: it is followed to its end, and not sent again before', async () => {
      const on = await open()
      await on.quoted()
      const release = await keepPending(on)
      await on.button('Swap').click()
      await on.page.getByText('Wait until it is mined').waitFor()
      await listSays(on, 'Sent. Waiting until it is mined.')
      await on.page.reload()
      await listSays(on, 'Sent. Waiting until it is mined.')
      await on.quoted()
      await blocked(on)
      release()
      await listSays(on, 'Received')
      expect(sent(on)).toBe(1)
    })
  })
}
