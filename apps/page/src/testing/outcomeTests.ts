import type { Hex } from '@braid-swap/core'
import type { Page } from 'playwright-core'
import { encodeErrorResult } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Answer, Refusal } from './testWallet.js'
import { refusalOf, USDC, type World } from './visit.js'
import { visitWithWallet, type WalletVisit } from './walletVisit.js'

const ORDER = `#dst=${USDC}&amount=2&slippage=1`

/** A little longer than the page waits for a transaction that the node does not know. */
const PATIENCE_MS = 25_000
const UNKNOWN_HASH = `0x${'d'.repeat(64)}`

const butThen =
  (answer: (sent: unknown) => unknown): Answer =>
  async (ask) =>
    answer(await ask())
const refusing = (code: number, message: string) => () => {
  throw new Refusal(code, message)
}
/** How a wallet may answer about a swap that arrives. */
const ARRIVING: readonly (readonly [string, Answer])[] = [
  ['lost answer', butThen(refusing(-32603, 'fetch failed'))],
  ['sped up', butThen(() => UNKNOWN_HASH)],
]

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

/** Tests how swaps end that go wrong, each in a browser of its own: with one swap and a true sentence. */
export function outcomeTests(world: World): void {
  describe('one swap and a true sentence', () => {
    const open = () => visitWithWallet(world, ORDER)
    const sent = (on: WalletVisit) => on.asked('eth_sendTransaction').length

    it.each(ARRIVING)('%s: the swap is found in a block and reported', async (_, answer) => {
      const on = await open()
      await on.quoted()
      on.wallet.behaviour.answers.set('eth_sendTransaction', answer)
      await on.swapBy('Swap')
      await listSays(on, 'Received')
      expect(sent(on)).toBe(1)
    })

    it('dropped: nobody can say, and the same order is not sent again', async () => {
      const prepare = ({ clock }: Page) => clock.install()
      const on = await visitWithWallet(world, ORDER, { prepare })
      await on.quoted()
      on.wallet.behaviour.answers.set('eth_sendTransaction', () => UNKNOWN_HASH)
      await on.button('Swap').click()
      await expect.poll(() => on.asked('eth_getTransactionByHash').length).toBeGreaterThan(0)
      await on.page.clock.fastForward(PATIENCE_MS)
      await on.says(
        /Nobody can say yet how the swap ended/,
        /activity of your wallet/,
        /swap twice/,
      )
      await listSays(on, /Nobody can say yet whether it was sent/)
      await on.quoted()
      expect(await on.button('Swap').isDisabled()).toBe(true)
      expect(sent(on)).toBe(1)
      on.wallet.behaviour.answers.clear()
      await on.button('I have looked: forget it').click()
      await on.quoted()
      await on.swapBy('Swap')
      expect(sent(on)).toBe(2)
    })

    it('declined: nothing is sent, and the swap can be sent again', async () => {
      const on = await open()
      await on.quoted()
      on.wallet.behaviour.answers.set('eth_sendTransaction', () => {
        throw new Refusal(4001, 'declined')
      })
      await on.button('Swap').click()
      await on.says(/Declined in the wallet, so the swap was not sent/)
      expect(await on.page.getByTestId('swaps').count()).toBe(0)
      on.wallet.behaviour.answers.clear()
      await on.quoted()
      await on.swapBy('Swap')
    })

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

    it('reload while the wallet is asked: the swap is found, and not sent again before', async () => {
      const on = await open()
      await on.quoted()
      const release = holding(on, 'eth_sendTransaction')
      await on.button('Swap').click()
      await listSays(on, 'Handed to the wallet')
      await on.page.reload()
      await on.quoted()
      await blocked(on)
      release()
      await listSays(on, 'Received')
      expect(sent(on)).toBe(1)
    })

    it.each([
      ['the API warns', 'warns'],
      ['the API refuses', 'refuses'],
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
          const said = { code: 'SWAP_WOULD_REVERT', message: 'token X refuses' }
          if (how === 'warns') body.meta.warnings.push(said)
          await route.fulfill(
            how === 'warns'
              ? { response, json: body }
              : { status: 422, json: refusalOf(422, said) },
          )
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
