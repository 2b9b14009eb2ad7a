/**
 * Does what a stranger does first with the OpenAPI document: generates types from it and calls the API with
 * them. The types must ask for what the interface says, and what they let through must work.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import { errorSchema, quoteSchema, swapSchema } from '../wire/responses.js'

const CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './braid.js'

export function useBraid(baseUrl: string, apikey: string) {
  const client = createClient<paths>({ baseUrl, headers: { apikey } })
  const order = { src: '${WHYPE}', dst: '${USDC}', amount: '1000000000000000000' }
  const path = { chainId: 999 } as const
  return {
    quote: () => {
      const query = { ...order, includeGraph: true, includeGas: false, exactQuote: 'yes' } as const
      return client.GET('/swap/v1/{chainId}/quote', { params: { path, query } })
    },
    swap: () => {
      const query = {
        ...order,
        ...{ slippage: 0.5, gasLimit: 1_500_000, gasPrice: '1000000000', includeMeta: true },
        ...{ maxPriceImpact: 12.5, deadline: 1_900_000_000, maxHops: 3 },
      }
      return client.GET('/swap/v1/{chainId}/swap', { params: { path, query } })
    },
    refused: () => {
      const query = { ...order, slippage: 51 }
      return client.GET('/swap/v1/{chainId}/swap', { params: { path, query } })
    },
  }
}

export async function amountOf(braid: ReturnType<typeof useBraid>): Promise<string | undefined> {
  const { data, error } = await braid.quote()
  return error ? error.code : data.graph?.[0]?.amountOut
}
`

let api: TestApi
let folder: string
let types: string
beforeAll(async () => {
  api = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' })
  const document = await (await fetch(`${api.url}/openapi.json`)).text()
  types = astToString(await openapiTS(document))
  // Beside the sources, so that the compiler and Node find the packages.
  folder = await mkdtemp(join(fileURLToPath(new URL('..', import.meta.url)), '.generated-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'braid.ts'), types)
})
afterAll(async () => {
  await api?.stop()
  if (folder) await rm(folder, { recursive: true })
})

const OPTIONS: ts.CompilerOptions = {
  ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true },
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
  ...{ lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] },
}

/** Clients of those types: one that must compile, and two that ask for what the interface refuses. */
const CLIENTS = {
  right: CLIENT,
  textAsFlag: CLIENT.replace('includeGraph: true', "includeGraph: 'true'"),
  noSlippage: CLIENT.replace('slippage: 0.5,', ''),
}

/** Collects the compiler's messages about each client; one program reads the libraries once. */
async function faultsOfClients(): Promise<Readonly<Record<keyof typeof CLIENTS, string[]>>> {
  const faults = { right: [] as string[], textAsFlag: [] as string[], noSlippage: [] as string[] }
  const names = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]
  const fileOf = (name: string) => join(folder, `${name}.ts`)
  for (const name of names) await writeFile(fileOf(name), CLIENTS[name])
  const program = ts.createProgram(names.map(fileOf), OPTIONS)
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = names.find((one) => file?.fileName === fileOf(one)) ?? 'right'
    faults[name].push(ts.flattenDiagnosticMessageText(messageText, ' '))
  }
  return faults
}

const typeOf = (name: string) => {
  const found = new RegExp(`^\\s+${name}\\??: (.*);$`, 'm').exec(types)
  return found?.[1]
}

describe('types generated from the document', () => {
  it.each([
    ['chainId', '999'],
    ['includeTokensInfo', 'boolean'],
    ['includeGas', 'boolean'],
    ['includeRoutes', 'boolean'],
    ['includeGraph', 'boolean'],
    ['exactQuote', '"yes" | "no"'],
    // A number as the interface has it, and one word more.
    ['slippage', 'number | "auto"'],
    ['gasLimit', 'number'],
    ['gasPrice', 'string'],
    ['amount', 'string'],
    ['src', 'string'],
  ])('have %s as the interface has it: %s', (name, type) => {
    expect(typeOf(name)).toBe(type)
  })

  it('compile as the interface has them, and refuse a flag that is text and a swap without slippage', async () => {
    const { right, textAsFlag, noSlippage } = await faultsOfClients()
    expect(right).toEqual([])
    expect(textAsFlag).toEqual([expect.stringContaining('not assignable')])
    expect(noSlippage).toEqual([expect.stringContaining("Property 'slippage' is missing")])
  })
})

describe('a client of those types', () => {
  it('gets a graph, a transaction and a refusal that it can read', async () => {
    const { outputText } = ts.transpileModule(CLIENT, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
    })
    const file = join(folder, 'client.mjs')
    await writeFile(file, outputText)
    const { useBraid, amountOf } = await import(/* @vite-ignore */ file)
    const braid = useBraid(api.url, api.key)
    const quoted = await braid.quote()
    expect(quoteSchema.parse(quoted.data).graph?.length).toBeGreaterThan(0)
    expect(await amountOf(braid)).toBe(quoted.data.graph[0].amountOut)
    const swapped = swapSchema.parse((await braid.swap()).data)
    expect(swapped.tx).toMatchObject({ gas: '1500000', gasPrice: '1000000000' })
    expect(swapped.meta).toMatchObject({ slippagePpm: 5_000, deadline: 1_900_000_000 })
    const { error, response } = await braid.refused()
    expect([response.status, errorSchema.parse(error).code]).toEqual([400, 'INVALID_SLIPPAGE'])
  })
})
