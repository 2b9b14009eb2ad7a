import { describe, expect, it } from 'vitest'
import { readEvents } from './stream.js'

const quote = JSON.stringify({
  ...{ dstAmount: '5', quoteId: 'q', blockNumber: '7', blockHash: '0xab' },
})

/** The events of a text, which arrives in parts of some bytes. */
async function eventsOf(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.slice(i * size, (i + 1) * size),
  )
  const found = []
  for await (const event of readEvents('/stream', ReadableStream.from(parts) as never)) {
    found.push(event.event)
  }
  return found
}

describe('a stream of events', () => {
  it.each([
    ['as our server writes it', `event: quote\ndata: ${quote}\n\n`],
    ['with CRLF', `event: quote\r\ndata: ${quote}\r\n\r\n`],
    ['with CR', `event: quote\rdata: ${quote}\r\r`],
    ['with an id', `id: 1\nevent: quote\ndata: ${quote}\n\n`],
    ['with data before its kind', `data: ${quote}\nevent: quote\n\n`],
    ['without the space', `event:quote\ndata:${quote}\n\n`],
    ['with data of two lines', `event: quote\ndata: ${quote.replace(',', ',\ndata: ')}\n\n`],
    [
      'after comments and other kinds',
      `: hi\n\nevent: other\ndata: 1\n\nevent: quote\ndata: ${quote}\n\n`,
    ],
  ])('is read %s, whatever the parts', async (_, text) => {
    for (const size of [1, 7, 10_000]) {
      expect(await eventsOf(`${text}${text}event: end\ndata: {"code":"X"}\n\n`, size)).toEqual([
        ...['quote', 'quote', 'end'],
      ])
    }
  })

  it('of one endless event is refused', async () => {
    const endless = `event: quote\ndata: ${'9'.repeat(17 << 20)}`
    await expect(eventsOf(endless, 1 << 20)).rejects.toMatchObject({ code: 'BAD_ANSWER' })
  })
})
