// The code of the client's README and of the page for integrators, word for word, against servers and nodes that
// lie about one thing at a time: nobody may lose more than the terms that stand in that code.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import * as client from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import * as core from '@braid-swap/core'
import { drawLies, type Json, liesAbout, NODE_LIES, THIEF } from '@braid-swap/devnet/testing'
import { Window } from 'happy-dom'
import * as React from 'react'
import ts from 'typescript-api'
import { createClient, custom, defineChain, erc20Abi, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

/** The blocks of code in a page. */
function codeOf(page: string): readonly string[] {
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```tsx?\n(.*?)^```/gms)].map(([, code]) => code!)
}
const [send, check, draw] = codeOf('packages/client/README.md')
const [integrate] = codeOf('docs/integrating.md')
const modules = new Map<string, object>([
  ['@braid-swap/client', client],
  ['react', React],
  ['@braid-swap/core', core],
])

type Values = Readonly<Record<string, unknown>>
/** Runs a block with what it imports and what is given, and returns its variables of these names. */
async function runBlock(code: string, given: Values, names: readonly string[]): Promise<Values> {
  const imports: Record<string, unknown> = {}
  const body = code.replace(
    /^import \{ (.*) \} from '(.*)'\n/gm,
    (_, list: string, from: string) => {
      for (const name of list.split(', ')) {
        imports[name] = (modules.get(from) as Values)[name]
        expect(imports[name], name).toBeDefined()
      }
      return ''
    },
  )
  const known = { ...imports, ...given }
  const { outputText } = ts.transpileModule(body, { compilerOptions: COMPILED })
  const run = new AsyncFunction(...Object.keys(known), `${outputText}\nreturn { ${names.join()} }`)
  return run(...Object.values(known))
}
const AsyncFunction = (async () => {}).constructor as new (
  ...words: readonly string[]
) => (...values: readonly unknown[]) => Promise<Values>

const COMPILED = { jsx: ts.JsxEmit.React, target: ts.ScriptTarget.ES2022 } as const

/** What a server answers to a URL, or a node to a method, instead of the truth. */
type ApiLie = (url: string, answer: Json) => Json
type NodeLie = (method: string, answer: unknown) => unknown

let api: DevnetApi
let usdc: Address
let server: Awaited<ReturnType<typeof startLiar>>
let lie: ApiLie = (_, body) => body
beforeAll(async () => {
  api = await startDevnetApi()
  usdc = api.devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  server = await startLiar()
})
afterAll(async () => {
  server?.stop()
  await api?.stop()
  await opened?.happyDOM.close()
  vi.unstubAllGlobals()
})

/** The API, whose answers pass the lie of the test. */
async function startLiar() {
  const liar = createServer(async ({ url = '/', headers }, response) => {
    const answer = await fetch(`${api.url}${url}`, { headers: { apikey: `${headers['apikey']}` } })
    const body = (await answer.json()) as Json
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.ok ? lie(url, body) : body))
  })
  await once(liar.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
  return { url, stop: () => liar.close() }
}

/** A wallet of viem with a key, as its users have one, and a node that may lie. */
function walletOf(nodeLie: NodeLie = (_, answer) => answer) {
  const { client: node, wallet } = api.devnet
  const request = async (asked: { readonly method: string }) => {
    const answer = await node.request(asked as never)
    if (asked.method === 'eth_sendRawTransaction') await api.devnet.mine()
    return nodeLie(asked.method, answer)
  }
  const chain = defineChain({
    ...{ id: 999, name: 'HyperEVM', rpcUrls: { default: { http: [api.devnet.rpcUrl] } } },
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
  })
  const account = privateKeyToAccount(wallet.privateKey)
  const transport = custom({ request }, { retryCount: 0 })
  return createClient({ account, chain, transport }).extend(publicActions).extend(walletActions)
}

type Run = { readonly nodeLie?: NodeLie; readonly lie?: ApiLie }
type Patience = Pick<client.SendOptions, 'pollMs' | 'unknownMs' | 'waitMs'>
/** How long a program waits for what it sent. Under a lie it may never hear of it. */
const patienceUnder = (run: Run): Patience =>
  run.lie || run.nodeLie
    ? { pollMs: 20, unknownMs: 200, waitMs: 400 }
    : { pollMs: 20, unknownMs: 30_000, waitMs: 30_000 }
const programs = ['sendSwap', 'verifySwap', 'an integration', 'a component'] as const
type Program = (typeof programs)[number]

/** The README's first block, which sends, or after it a block that checks what is sent then. */
async function runProgram(by: Program, run: Run): Promise<void> {
  const walletClient = walletOf(run.nodeLie)
  const patience = patienceUnder(run)
  const given = {
    ...{ apiKey: api.apikey, usdc, walletClient },
    createBraid: (options: client.BraidOptions) =>
      client.createBraid({ ...options, url: server.url, retries: 0 }),
    sendSwap: (...[wallet, order, terms, options]: Parameters<typeof client.sendSwap>) =>
      by === 'sendSwap' ? client.sendSwap(wallet, order, terms, { ...options, ...patience }) : {},
  }
  const known = await runBlock(send!, given, ['braid', 'order', 'terms'])
  if (by === 'sendSwap') return
  if (by === 'a component') return pressButton({ ...known, walletClient }, patience)
  if (by === 'verifySwap') {
    await runBlock(check!, { ...known, walletClient, publicClient: walletClient }, [])
  } else {
    const request = { ...(known['order'] as object), from: walletClient.account.address }
    const hosts = { ...(known['terms'] as object), node: walletClient, router: api.devnet.router }
    const { braid } = known
    const { tx } = await runBlock(integrate!, { ...client, ...hosts, braid, request }, ['tx'])
    await walletClient.sendTransaction(tx as client.CheckedTransaction)
  }
}

/** Draws the README's component, presses its button once it shows a quote or none, and waits for the end. */
async function pressButton(known: Values, patience: Patience): Promise<void> {
  let swapping: Promise<unknown> | undefined
  const sendSwap = (...[wallet, order, terms, options]: Parameters<typeof client.sendSwap>) => {
    const sending = client.sendSwap(wallet, order, terms, { ...options, ...patience })
    swapping = sending.catch(() => {})
    return sending
  }
  const { Swap } = await runBlock(draw!, { ...known, React, sendSwap }, ['Swap'])
  const { document } = openWindow()
  // @ts-expect-error its types are a package of their own, which two calls do not need
  const { createRoot } = await import('react-dom/client')
  const root = createRoot(document.body)
  try {
    root.render(React.createElement(Swap as React.FC<Values>, known))
    const button = () => document.querySelector('button')
    while (!button() || button()!.textContent === 'loading') await sleep(10)
    button()!.click()
    await swapping
    expect(swapping).toBeDefined()
  } finally {
    root.unmount()
  }
}

let opened: Window | undefined
/** The window of a browser, until the end of the file, because React draws later than it is told to. */
function openWindow(): Window {
  if (opened) return opened
  const window = new Window()
  const { document, navigator } = window
  for (const [name, of] of Object.entries({ window, document, navigator })) vi.stubGlobal(name, of)
  opened = window
  return window
}

async function held() {
  const { client: node, wallet } = api.devnet
  const read = (functionName: 'balanceOf' | 'allowance', ...args: readonly Address[]) =>
    node.readContract({ ...{ address: usdc, abi: erc20Abi, functionName, args: args as never } })
  const { address } = wallet
  return {
    native: await node.getBalance({ address }),
    usdc: (await read('balanceOf', address)) as bigint,
    transactions: await node.getTransactionCount({ address }),
    strangers: await node.getBalance({ address: THIEF }),
    allowed: (await read('allowance', address, THIEF)) as bigint,
  }
}

/** The terms of the README's code, in wei. */
const TERMS = { amount: 10n ** 18n, minAmountOut: 38_000_000n, maxNetworkFee: 10n ** 16n }

/** Runs the code under a lie, and says whether it swapped. Fails if the wallet lost above its terms. */
async function swapsUnder(by: Program, run: Run): Promise<boolean> {
  await api.catchUp()
  const before = await held()
  lie = run.lie ?? ((_, body) => body)
  const isHonest = !run.lie && !run.nodeLie
  await runProgram(by, run).catch((error) => {
    if (isHonest) throw error
  })
  lie = (_, body) => body
  const after = await held()
  const paid = before.native - after.native
  const got = after.usdc - before.usdc
  expect(after.transactions - before.transactions).toBeLessThanOrEqual(1)
  expect([after.strangers, after.allowed]).toEqual([0n, 0n])
  const price = got > 0n ? TERMS.amount : 0n
  expect(paid).toBeLessThanOrEqual(price + TERMS.maxNetworkFee)
  if (got > 0n) expect(got).toBeGreaterThanOrEqual(TERMS.minAmountOut)
  return got > 0n
}

describe.each(programs)('the documented code with %s', (by) => {
  it('swaps by an honest server and node', async () => {
    expect(await swapsUnder(by, {})).toBe(true)
  })

  it('loses nothing above its terms to a server that changes one field of an answer', async () => {
    const answers = new Map<string, Json>()
    const keep: ApiLie = (url, body) => {
      answers.set(url.replace(/\?.*/, '').split('/').at(-1)!, body)
      return body
    }
    expect(await swapsUnder(by, { lie: keep })).toBe(true)
    expect([...answers.keys()].toSorted()).toEqual(['quote', 'swap'])
    const lies = [...answers].flatMap(([endpoint, honest]) =>
      drawLies(liesAbout(honest)).map((about) => [endpoint, about] as const),
    )
    expect(lies.length).toBeGreaterThan(20)
    for (const [endpoint, { tell }] of lies) {
      await swapsUnder(by, {
        lie: (url, body) => (url.includes(`/${endpoint}?`) ? tell(body) : body),
      })
    }
  })

  it('nor to a node that changes one of its answers', async () => {
    const methods = new Set<string>()
    const note: NodeLie = (method, answer) => {
      methods.add(method)
      return answer
    }
    expect(await swapsUnder(by, { nodeLie: note })).toBe(true)
    expect(methods.size).toBeGreaterThan(2)
    for (const method of methods) {
      for (const other of NODE_LIES) {
        await swapsUnder(by, { nodeLie: (asked, answer) => (asked === method ? other : answer) })
      }
    }
  })
})
