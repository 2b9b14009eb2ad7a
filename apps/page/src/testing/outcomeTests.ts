import type { Hex } from '@braid-swap/core'
import { encodeErrorResult } from 'viem'
import { describe, expect, it } from 'vitest'
import { Refusal } from './testWallet.js'
import { USDC, type World } from './visit.js'
import { visitWithWallet, type WalletVisit } from './walletVisit.js'

const ORDER = `#dst=${USDC}&amount=2&slippage=1`

/** What the page shows of its last swaps, when it says `words`. */
const listSays = ({ page }: WalletVisit, words: string | RegExp) =>
  page.getByTestId('swaps').getByText(words).first().waitFor()

/** Holds the wallet's answers to `method` back until `release` is called. */
function holding({ wallet }: WalletVisit, method: string) {
  let release = () => {}
  const isFree = new Promise<void>((done) => {
    release = done
  })
  wallet.behaviour.answers.set(method, (ask) => isFree.then(ask))
  return release
}

/** Makes the wallet's node know a transaction, but no block with it, until the returned call. */
function keepPending({ wallet: { behaviour } }: WalletVisit) {
  behaviour.answers.set('eth_getTransactionReceipt', () => null)
  behaviour.answers.set('eth_getTransactionByHash', async (ask) => {
    const tx = (await ask()) as object | null
    return tx && { ...tx, blockHash: null, blockNumber: null, transactionIndex: null }
  })
  return () => behaviour.answers.clear()
}

/** Tests how swaps end that go wrong, each in a browser of its own: with one swap and a true sentence. */
export function outcomeTests(world: World): void {
  describe('one swap and a true sentence', () => {
    const open = () => visitWithWallet(world, ORDER)
    const sent = (on: WalletVisit) => on.asked('eth_sendTransaction').length

    it('lost answer: the swap is found in a block and reported', async () => {
      const on = await open()
      await on.quoted()
      on.wallet.behaviour.answers.set('eth_sendTransaction', async (ask) => {
        await ask()
        throw new Refusal(-32603, 'fetch failed')
      })
      await on.swapBy('Swap')
      await listSays(on, 'Received')
      expect(sent(on)).toBe(1)
    })

    it('dropped: nobody can say, and the same order is not sent again', async () => {
      const on = await open()
      await on.quoted()
      on.wallet.behaviour.answers.set('eth_sendTransaction', () => `0x${'d'.repeat(64)}`)
      await on.button('Swap').click()
      await on.says(/does not have the transaction/, /activity of your wallet/, /swap twice/)
      await listSays(on, /Nobody can say yet whether it was sent/)
      await on.quoted()
      await on.button('Swap').click()
      await on.page.getByText('The same swap is under way, so it was not sent again').waitFor()
      expect(sent(on)).toBe(1)
      on.wallet.behaviour.answers.clear()
      await on.button('I have looked: forget it').click()
      await on.quoted()
      await on.swapBy('Swap')
      expect(sent(on)).toBe(2)
    })

    it('wallet locked: nothing is sent, and it says what to unlock', async () => {
      const on = await open()
      await on.quoted()
      on.wallet.behaviour.answers.set('eth_sendTransaction', () => {
        throw new Refusal(4100, 'locked')
      })
      await on.button('Swap').click()
      await on.says(/Your wallet is locked/, /Unlock the wallet/)
      expect(await on.page.getByTestId('swaps').count()).toBe(0)
      on.wallet.behaviour.answers.clear()
      await on.quoted()
      await on.swapBy('Swap')
    })

    it('node restarted: the wait goes on until the node answers', async () => {
      const on = await open()
      await on.quoted()
      let fails = 0
      on.wallet.behaviour.answers.set('eth_getTransactionReceipt', (ask) => {
        if (fails++ < 5) throw new Refusal(-32603, 'connection refused')
        return ask()
      })
      await on.swapBy('Swap')
      expect([sent(on), fails > 5]).toEqual([1, true])
    })

    it('two tabs: one of them sends, the other says so, and both know how it ends', async () => {
      const one = await open()
      const context = one.page.context()
      const two = await visitWithWallet(world, ORDER, { context, wallet: one.wallet })
      await one.quoted()
      await two.quoted()
      const release = holding(one, 'eth_sendTransaction')
      await Promise.all([one.button('Swap').click(), two.button('Swap').click()])
      const refusal = 'The same swap is under way, so it was not sent again'
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
      const release = keepPending(on)
      await on.button('Swap').click()
      await on.page.getByText('Wait until it is mined').waitFor()
      await listSays(on, 'Sent. Waiting until it is mined.')
      await on.page.reload()
      await listSays(on, 'Sent. Waiting until it is mined.')
      await on.quoted()
      await on.button('Swap').click()
      await on.says(/The same swap is under way/, /under “Your swaps”/)
      release()
      await listSays(on, 'Received')
      expect(sent(on)).toBe(1)
    })

    it.each([
      ['the API warns', 'warns'],
      ['the wallet’s node reverts', 'reverts'],
    ])('would revert, as %s: it is never offered for signing', async (_, how) => {
      const on = await open()
      await on.quoted()
      if (how === 'reverts') {
        const abi = [{ type: 'error', name: 'Reentered', inputs: [] }] as const
        const data = encodeErrorResult({ abi, errorName: 'Reentered' })
        on.wallet.behaviour.answers.set('eth_call', (ask, [call]) => {
          const { data: input = '' } = call as { readonly data?: Hex }
          // Reads of balances are short.
          if (input.length > 200) throw new Refusal(3, 'execution reverted', data)
          return ask()
        })
      } else {
        await on.page.route('**/swap?**', async (route) => {
          const response = await route.fetch()
          const body = (await response.json()) as { meta: { warnings: object[] } }
          body.meta.warnings.push({ code: 'SWAP_WOULD_REVERT', message: 'token X refuses' })
          await route.fulfill({ response, json: body })
        })
      }
      await on.button('Swap').click()
      await on.says(/would revert, so it was not sent/)
      expect([sent(on), on.asked('eth_signTypedData_v4').length]).toEqual([0, 0])
      on.wallet.behaviour.answers.clear()
      await on.page.unroute('**/swap?**')
      await on.quoted()
      await on.swapBy('Swap')
      expect(sent(on)).toBe(1)
    })
  })
}
