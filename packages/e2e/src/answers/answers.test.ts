/**
 * Every answer that programs may read, to the byte: each path and shape of the API on the frozen market, and each
 * `--json` of `braid` on the recorded one. A change of an answer is a decision: `pnpm answers` records it, and a
 * commit of its own shows what changed. Quote ids depend on the version, so a release records them too.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  compatNames,
  frozenSnapshot,
  RECEIVED_AT_MS,
  startTestWorld,
  type TestWorld,
} from '@braid-swap/api/testing'
import { buildGraph, type Snapshot } from '@braid-swap/core'
import { runProgram } from 'braid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asked, askedOtherwise, commands, orders, streamed } from './asked.js'
import { filled } from './names.js'

let world: TestWorld
let folder: string
const ending = new AbortController()
beforeAll(async () => {
  const config = { compat: compatNames, streams: { perKey: 100, total: 100, lastMs: 60_000 } }
  world = await startTestWorld({ config, ending: ending.signal })
  folder = await mkdtemp(join(tmpdir(), 'braid-answers-'))
})
afterAll(async () => {
  await world?.stop()
  if (folder) await rm(folder, { recursive: true })
})

/** What differs between two runs: ids of requests, and the time that a search took. */
const VARYING = /("(?:zid|requestId)":)"[^"]*"|("solveMs":)[\d.]+/g
const HEADERS =
  /^(x-quote|x-block-number|x-gas|x-sim|x-ign|x-acc|cache-control|content-type$|retry-after|allow)/
/** Values up to this length are on one line. */
const ROW = 360
/** Longer values that are indented further are a hash: the schemas in the OpenAPI document. */
const DEEP = 8

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** A value as lines: what fits is one, a long string is its beginning and a hash, and what came before is a hash. */
function linesOf(value: unknown, seen: Set<string>, indent = '  '): string {
  const text = JSON.stringify(value)
  if (text.length <= ROW) return text
  if (typeof value === 'string') {
    return `${text.slice(0, 100)}… ${text.length} ${hashOf(text)}`
  }
  if (seen.has(text) || indent.length > DEEP) return `… ${text.length} ${hashOf(text)}`
  seen.add(text)
  const isList = Array.isArray(value)
  const lines = Object.entries(value as object).map(([name, member]) => {
    const said = linesOf(member, seen, `${indent}  `)
    return `${indent}${isList ? '-' : `${name}:`} ${said}`
  })
  return `${isList ? '[]' : '{}'}\n${lines.join('\n')}`
}

function record(text: string, seen: Set<string>): string {
  const steady = text.replace(VARYING, '$1$2"…"')
  try {
    return linesOf(JSON.parse(steady), seen)
  } catch {
    return linesOf(steady, seen)
  }
}

const headersOf = (headers: Headers) =>
  [...headers]
    .filter(([name, value]) => HEADERS.test(name) && value !== 'application/json; charset=utf-8')
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')

async function ask(line: string, headers: Readonly<Record<string, string>>, seen: Set<string>) {
  const [method = '', path = ''] = line.split(/ (.*)/s)
  const url = `${world.api.url}${encodeURI(filled(path)).replaceAll('%25', '%')}`
  const response = await fetch(url, { method, headers: { apikey: world.api.key, ...headers } })
  const said = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`)
  const body = record(await response.text(), seen)
  return `${line}${said}\n${response.status} ${headersOf(response.headers)}\n  ${body}\n`
}

const moved: Snapshot = {
  ...frozenSnapshot,
  block: { ...frozenSnapshot.block, number: 124n, hash: `0x${'ac'.repeat(32)}` },
  pools: frozenSnapshot.pools.map((pool, i) =>
    i === 2 && pool.family === 'uniswapV2'
      ? { ...pool, reserves: [pool.reserves[0], pool.reserves[1] * 2n] as const }
      : pool,
  ),
}

it('of the API', async () => {
  const seen = new Set<string>()
  const answers: string[] = []
  for (const path of asked) answers.push(await ask(`GET ${path}`, {}, seen))
  const { headers } = await world.api.get(filled(asked[0]!))
  const id = headers.get('x-quote-id')!
  for (const [line, own] of askedOtherwise) {
    const entries = Object.entries(own).map(([name, value]) => [name, value.replace('{id}', id)])
    answers.push(await ask(line, Object.fromEntries(entries), seen))
  }
  await expect(answers.join('\n')).toMatchFileSnapshot('api.txt')
})

/** Reads the next event of a stream, without its comments; an empty text at its end. */
async function nextEvent(reader: ReadableStreamDefaultReader<string>, rest: { text: string }) {
  for (;;) {
    const [event, after] = rest.text.split(/\n\n(.*)/s)
    if (after === undefined) {
      const { done, value } = await reader.read()
      if (done) return ''
      rest.text += value
    } else {
      rest.text = after
      if (event!.includes('event: ')) return event!
    }
  }
}

it('of the streams', async () => {
  const seen = new Set<string>()
  const answers: string[] = []
  const show = (event: string) => event.replace(/(\{.*)/, (data) => record(data, seen))
  for (const [i, path] of streamed.entries()) {
    world.api.setState({ graph: buildGraph(frozenSnapshot), receivedAtMs: RECEIVED_AT_MS })
    const response = await fetch(`${world.api.url}${filled(path)}`, {
      headers: { apikey: world.api.key },
    })
    const head = `GET ${path}\n${response.status} ${headersOf(response.headers)}\n`
    if (response.status !== 200) {
      answers.push(`${head}${record(await response.text(), seen)}\n`)
      continue
    }
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const rest = { text: '' }
    const events = [await nextEvent(reader, rest)]
    world.api.setState({ graph: buildGraph(moved), receivedAtMs: RECEIVED_AT_MS })
    events.push(await nextEvent(reader, rest))
    if (i === streamed.length - 1) {
      ending.abort()
      events.push(await nextEvent(reader, rest))
    }
    await reader.cancel()
    answers.push(`${head}${events.map(show).join('\n\n')}\n`)
  }
  await expect(answers.join('\n')).toMatchFileSnapshot('streams.txt')
})

const vectors = resolve(import.meta.dirname, '../../../vectors')

it('of the command line', async () => {
  const seen = new Set<string>()
  const market = [
    '--snapshot',
    `${vectors}/snapshots/999-79.json`,
    '--tokens',
    `${vectors}/tokens.json`,
  ]
  await writeFile(join(folder, 'orders.csv'), orders)
  const answers: string[] = []
  for (const command of commands) {
    const words = filled(command)
      .split(' ')
      .map((word) => (word === 'orders.csv' ? join(folder, word) : word))
      .flatMap((word) => (word === 'info' ? [word, market[1]!] : [word]))
    const out: string[] = []
    const err: string[] = []
    const code = await runProgram([...words, ...(words.includes('info') ? [] : market), '--json'], {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      env: {},
      paint: { strong: String, faint: String },
    })
    const said = [...out, ...err].map((text) => record(text.replaceAll(vectors, ''), seen))
    answers.push(`braid ${command}\n${code} ${said.join('\n')}\n`)
  }
  await expect(answers.join('\n')).toMatchFileSnapshot('cli.txt')
})
