import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Market } from '@braid-swap/chain'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { frozenSnapshot, WHYPE } from '../testing/frozenMarket.js'
import { writeSealed } from './checksummedFile.js'
import { type MarketKey, readMarket, saveMarket } from './savedMarket.js'

const folder = mkdtempSync(join(tmpdir(), 'braid-saved-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'market')

const key: MarketKey = { chainId: 999, wrappedNative: WHYPE, venues: [] }
// Few pools: it is read for many of its bytes.
const snapshot = { ...frozenSnapshot, pools: frozenSnapshot.pools.slice(0, 4) }
const market: Market = {
  state: {
    snapshot,
    pools: snapshot.pools.flatMap(({ id, family, venue, tokens }) =>
      family === 'wrap' ? [] : [{ id, family, venue, tokens: [tokens[0]!, tokens[1]!] as const }],
    ),
    setAside: [{ id: WHYPE, venue: 'é', code: 'POOL_PAUSED', message: 'a line\nand another' }],
    receivedAtMs: 12,
  },
  cursor: {
    trail: [
      { number: 7n, hash: '0x07', gasLimit: 2_000_000n, touched: [WHYPE], created: [] },
      { number: 8n, hash: '0x08', gasLimit: 2_000_000n, touched: [], created: [WHYPE] },
    ],
  },
  trust: { flawed: [{ address: WHYPE, code: 'TOKEN_STUCK', message: 'not really' }] },
}

/** The market as it is read: never as fresh as it was. */
const stale = (of: Market) => ({ ...of, state: { ...of.state, receivedAtMs: 0 } })

/** The positions in the first and the last 200 bytes, and every seventh between. */
const placesIn = ({ length }: Uint8Array) =>
  Array.from({ length }, (_, at) => at).filter(
    (at) => at < 200 || at >= length - 200 || at % 7 === 0,
  )

const unusable = { code: 'SAVED_FILE_UNUSABLE' }
beforeEach(() => saveMarket(file, market, key))

describe('a saved market', () => {
  it('is read as it was saved, and never as fresh', async () => {
    expect(await readMarket(file, key)).toEqual(stale(market))
  })

  it('is not there where nothing was saved', async () => {
    expect(await readMarket(join(folder, 'nothing'), key)).toBeUndefined()
  })

  it('is refused with a pool that no family has, although its checksum is right', async () => {
    const [first, ...others] = snapshot.pools
    const pools = [{ ...first!, venue: '../x' }, ...others]
    const state = { ...market.state, snapshot: { ...snapshot, pools } }
    await saveMarket(file, { ...market, state }, key)
    await expect(readMarket(file, key)).rejects.toMatchObject(unusable)
    await expect(readMarket(file, key)).rejects.toThrow(
      `pool ${first!.id} (${first!.family}): venue`,
    )
  })

  it('is refused wherever it is cut', async () => {
    const bytes = readFileSync(file)
    for (const length of placesIn(bytes)) {
      writeFileSync(file, bytes.subarray(0, length))
      await expect(readMarket(file, key), `${length} bytes`).rejects.toMatchObject(unusable)
    }
  })

  it('is refused whichever byte of it is another', async () => {
    const bytes = readFileSync(file)
    for (const at of placesIn(bytes)) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1 + (at % 255)
      writeFileSync(file, changed)
      await expect(readMarket(file, key), `byte ${at}`).rejects.toMatchObject(unusable)
    }
  })

  it.each<[string, MarketKey]>([
    ['chain', { ...key, chainId: 998 }],
    ['wrapped native token', { ...key, wrappedNative: `0x${'11'.repeat(20)}` }],
    ['venues', { ...key, venues: [{ id: 'a', family: 'uniswapV2', factory: WHYPE }] }],
  ])('of another %s is refused', async (_, other) => {
    await expect(readMarket(file, other)).rejects.toMatchObject(unusable)
  })

  it('of another version is refused', async () => {
    const [, ...lines] = readFileSync(file, 'utf8').split('\n').slice(0, -2)
    await writeSealed(file, 'braid market 0', lines)
    await expect(readMarket(file, key)).rejects.toThrow('its format is not')
  })

  it('stays as it is when the next cannot be written whole', async () => {
    const pools = [...market.state.pools, { toJSON: () => fail() } as never]
    const broken = { ...market, state: { ...market.state, pools } }
    await expect(saveMarket(file, broken, key)).rejects.toThrow('cannot be written')
    expect(await readMarket(file, key)).toEqual(stale(market))
    expect(readdirSync(folder)).toEqual(['market'])
  })

  it('is whole whenever it is read while two processes save theirs in one folder', async () => {
    const short: Market = { ...market, cursor: { trail: [] }, trust: { flawed: [] } }
    const saves = [market, short].map(async (one) => {
      for (let n = 0; n < 20; n++) await saveMarket(file, one, key)
    })
    let isOver = false
    const saved = Promise.all(saves).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const read = await readMarket(file, key)
      expect([market, short].map(stale)).toContainEqual(read)
    }
    await saved
    expect(readdirSync(folder)).toEqual(['market'])
  })

  it('is saved without what killed processes left behind, and with what others write now', async () => {
    const [old, young] = [`${file}.1.new`, `${file}.2.new`]
    for (const draft of [old, young]) writeFileSync(draft, 'half')
    utimesSync(old, 0, 0)
    await saveMarket(file, market, key)
    expect(readdirSync(folder).toSorted()).toEqual(['market', 'market.2.new'])
    rmSync(young)
  })
})

function fail(): never {
  throw new Error('cannot be written')
}
