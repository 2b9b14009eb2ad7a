// What can happen to a transaction after it was signed ends with one swap at most, with a sentence that is true and
// with an exit code of its own. The client's `outcomes` asks the rest, because it does the sending.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '@braid-swap/core'
import { sendSigned } from '@braid-swap/devnet/testing'
import { CUT, Refusal, type Rule } from '@braid-swap/worlds/node'
import { parseTransaction } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  AMOUNT,
  borrowForFile,
  chain,
  kept,
  keyEnv,
  measure,
  onBroadcast,
  send,
  swapThrough,
  UNKNOWN,
} from '../testing/outcomeWorld.js'

borrowForFile()

/** Has an empty transaction of the wallet to itself mined in the place of a signed one. */
async function mineInstead(raw: Hex) {
  const { nonce } = parseTransaction(raw)
  const to = chain.devnet.wallet.address
  const hash = await sendSigned(chain.devnet, { to, nonce, gasPrice: 10n ** 11n })
  await chain.devnet.mine()
  return hash
}

describe('braid swap --send, where the transaction', () => {
  it('never arrives: the outcome is unknown, with its hash and an exit code of its own', async () => {
    expect(await swapThrough(onBroadcast(() => CUT))).toMatchObject(UNKNOWN)
  })

  it('is replaced by its owner: named, and nothing was swapped by this one', async () => {
    chain.mining = false
    let other: Hex | undefined
    const rule = onBroadcast(async (ask, _, raw) => {
      const hash = await ask()
      other ??= await mineInstead(raw)
      return hash
    })
    const { said, ...ran } = await swapThrough(rule)
    expect(ran).toMatchObject({ code: 5, out: '', bought: 0n, transactions: 1 })
    expect(said.error).toMatchObject({
      ...{ code: 'REPLACED', details: { other } },
      message: expect.stringContaining('nothing was swapped by this one'),
    })
  })

  it.each([
    ['the same', []],
    ['with another deadline', ['--deadline', '600']],
  ])('is sent by two runs at once, %s: one sells, and the other says so', async (_, more) => {
    const { runs, ...cost } = await measure(async () => ({
      runs: await Promise.all([
        send(async (ask, method) => {
          if (method === 'eth_sendRawTransaction') await sleep(500)
          return ask()
        }),
        send((ask) => ask(), keyEnv(), more),
      ]),
    }))
    expect(cost).toEqual({ bought: AMOUNT, transactions: 1 })
    const [first, second] = [...runs].sort((one, other) => one.code - other.code)
    expect([first!.code, first!.said.amountOut]).toEqual([0, `${AMOUNT}`])
    // Whichever came later found the record of the other, or its end.
    if (second!.code === 0) expect(second!.said.hash).toBe(first!.said.hash)
    else expect([second!.code, second!.said.error.code]).toEqual([7, 'OUTCOME_UNKNOWN'])
    expect(kept()).toEqual([])
  })

  it('is refused by the node: it stays unknown, because the same bytes may be sent by others', async () => {
    const rule = onBroadcast(() => {
      throw new Refusal(-32003, 'transaction type not supported')
    })
    const { said, err, ...ran } = await swapThrough(rule)
    expect({ ...ran, said }).toMatchObject(UNKNOWN)
    expect(said.error.message).toContain('transaction type not supported')
    expect(err).toContain(kept()[0])
    expect(err).toContain('run the same command again')
  })

  it('cannot be signed, because the key is locked away', async () => {
    const asked: string[] = []
    const rule: Rule = (ask, method) => {
      asked.push(method)
      return ask()
    }
    const { said, ...ran } = await swapThrough(rule, {})
    expect(ran).toMatchObject({ code: 2, out: '', bought: 0n, transactions: 0 })
    expect(said.error).toMatchObject({ code: 'USAGE', message: '--send needs a private key' })
    expect(asked).toEqual([])
  })
})
