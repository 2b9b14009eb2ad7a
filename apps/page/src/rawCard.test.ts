// @vitest-environment happy-dom
// What is shown of a request, and that its key is not.

import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it, vi } from 'vitest'
import { RawCard } from './rawCard.js'
import { curlOf } from './requestRecorder.js'
import { pass, shown } from './testing/shown.js'

const recorded = {
  ...{ url: 'http://a/swap/v1/999/quote?src=0x1&amount=5', status: 200, ms: 12 },
  text: '{"dstAmount":"5"}',
}
const key = 'brd_0123456789'
afterEach(() => vi.useRealTimers())

async function card(change: Partial<Parameters<typeof RawCard>[0]> = {}) {
  const props = { recorded, isOld: false, apiKey: key, onOtherKey: undefined, ...change }
  const on = await shown(h(RawCard, props))
  const buttons = () => [...on.root.querySelectorAll<HTMLButtonElement>('button')]
  return { ...on, buttons, press: (place: number) => act(async () => buttons()[place]!.click()) }
}

it('shows the request, the answer, and as much of the key as names it', async () => {
  const on = await card()
  expect(on.text('.request')).toBe(
    'GET /swap/v1/999/quote\n    ?src=0x1\n    &amount=5\napikey: brd_0123••••••••',
  )
  expect(on.text('.answer')).toBe('{\n  "dstAmount": "5"\n}')
  expect([on.text('.raw-status'), on.root.querySelector('.old-mark')]).toEqual([
    ...['200 in 12 ms', null],
  ])
  const broken = await card({ recorded: { ...recorded, text: '<html>' }, isOld: true })
  expect([broken.text('.answer'), broken.root.querySelectorAll('.old .old-mark').length]).toEqual([
    ...['<html>', 1],
  ])
})

it('before the first answer there is nothing to copy', async () => {
  let others = 0
  const on = await card({ recorded: undefined, isOld: true, onOtherKey: () => others++ })
  expect(on.texts('button, pre, .raw-status, .old-mark')).toEqual(['Change key'])
  await on.press(0)
  expect(others).toBe(1)
  expect((await card()).texts('button')).toEqual(['Copy as curl', 'Copy response'])
})

it('copies the request as a command and the answer as it came, and says so for two seconds', async () => {
  vi.useFakeTimers()
  const on = await card()
  await on.press(0)
  expect(await navigator.clipboard.readText()).toBe(`curl -H 'apikey: ${key}' '${recorded.url}'`)
  expect(on.texts('button')).toEqual(['Copied', 'Copy response'])
  await pass(1_999)
  expect(on.texts('button')).toEqual(['Copied', 'Copy response'])
  await pass(1)
  expect(on.texts('button')).toEqual(['Copy as curl', 'Copy response'])
  await on.press(1)
  expect(await navigator.clipboard.readText()).toBe(recorded.text)
  expect(curlOf(recorded.url, '')).toBe(`curl '${recorded.url}'`)
})
