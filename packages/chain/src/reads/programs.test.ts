// Scans of many words, in calls with as much gas as a node allows.
import { toHex } from '@braid-swap/core/advanced'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { type Asked, type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import { learnProfiles } from '../transport/client.js'
import { scanCalls } from './bitmapScan.js'
import { createReader } from './multicall.js'

const TO = toHex(0xabcd, 20)
const SELECTOR = '0x5339c296'

let node: ScriptedNode
beforeEach(async () => {
  node = await startScriptedNode()
})
afterEach(() => node.stop())

/** The first and the end of each row in a program. */
function rowsOf({ params }: Asked): readonly (readonly [number, number])[] {
  const { data } = params[0] as { readonly data: string }
  const rows = data.split(`5339c296${'0'.repeat(56)}${TO.slice(2).padStart(64, '0')}`).slice(1)
  return rows.map((row) => [Number(`0x${row.slice(0, 64)}`), Number(`0x${row.slice(64, 128)}`)])
}

it('ask for as many words as fit into the gas of a call, at 3,300 gas a word', async () => {
  for (const [callGas, chunks] of [
    [3_300_000n, [2, 2, 1]],
    [3_299_999n, [1, 1, 1, 1, 1]],
    [5_000_000n, [3, 2]],
    [30_000_000n, [5]],
  ] as const) {
    const client = createClient(node.url)
    learnProfiles(client, [{ pastState: 'pinned', overrides: 'honoured', callGas }])
    const asked: number[] = []
    node.tamper = (request) => {
      const rows = rowsOf(request)
      asked.push(rows.length)
      const ends = rows.map(([, end]) => toHex(end, 4).slice(2) + '0'.repeat(64))
      return `0x${[1, 2, 3].map((one) => toHex(one, 32).slice(2)).join('')}${ends.join('')}`
    }
    const calls = scanCalls(TO, SELECTOR, { first: 0, end: 2_500 })
    const results = await createReader(client, 'latest')(calls)
    expect(results.map(({ success, seen }) => [success, seen!.number])).toEqual(
      calls.map(() => [true, 1n]),
    )
    expect(asked).toEqual(chunks)
  }
})
