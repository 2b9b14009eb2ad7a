/**
 * Plays an operator's first hour, by the commands of the docs, on another node than that of all other tests: deploy the
 * router, write the venues, ask the doctor, make a key, run two indexers and two readers on Redis behind nginx, swap,
 * restart everything in turn under load, revoke the key.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testTokenAbi, testTokenBytecode } from '@braid-swap/contracts/testing'
import type { Address, Hex } from '@braid-swap/core'
import { freePort } from '@braid-swap/devnet/testing'
import { describeWithRedis, type RedisServer, startRedis } from '@braid-swap/feed/testing'
import {
  type Abi,
  type EncodeFunctionDataParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  parseAbi,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFullRun } from '../draws.js'
import { type ServiceProcess, startService } from '../processes/serviceProcess.js'
import { type HardhatNode, installHardhat, startHardhat } from './hardhatNode.js'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const E18 = 10n ** 18n
/** How long the load lasts before, between and after the restarts. */
const AROUND_MS = isFullRun ? 10_000 : 1_000
/** Callers that ask again and again while the service restarts. */
const CALLERS = 4
/** The first of Hardhat's published accounts. */
const OPERATOR_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const SETUP = 'has what an operator needs on the chain'

const nginx = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((place) => join(place, 'nginx'))
  .find((path) => existsSync(path))
const hasHardhat = nginx !== undefined && (await installHardhat())

type Service = {
  readonly role: 'indexer' | 'api'
  readonly host: string
  readonly url: string
  process: ServiceProcess
}

it.skipIf(hasHardhat)('an operator’s first hour', (context) => {
  context.skip('nginx, or Hardhat from npm, is not here')
})

describeWithRedis('an operator’s first hour', () => {
  if (!hasHardhat) return
  let node: HardhatNode
  let redis: RedisServer
  let folder: string
  let [operator, trader]: [Address, Address] = ['0x', '0x']
  let [gold, coin]: [Address, Address] = ['0x', '0x']
  let environment: Readonly<Record<string, string>>
  let origin: string
  let [key, keyId] = ['', '']
  const services: Service[] = []
  const programs: { readonly kill: () => void }[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'braid-hour-'))
    ;[node, redis] = await Promise.all([startHardhat(), startRedis()])
    ;[operator, trader] = (await node.client.request({ method: 'eth_accounts' })) as [
      Address,
      Address,
    ]
  })
  afterAll(async () => {
    for (const { process } of services) await process.kill()
    for (const program of programs) program.kill()
    await redis?.stop()
    await node?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const deploy = async (data: Hex) =>
    (await node.send({ from: operator, data })).contractAddress!.toLowerCase() as Address
  const call = <const A extends Abi>(to: Address, what: EncodeFunctionDataParameters<A>) =>
    node.send({ from: operator, to, data: encodeFunctionData(what) })
  /** Runs a program of the repository to its end. */
  const program = (
    path: string,
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) =>
    run(process.execPath, [join(repository, path), ...words], {
      env: { PATH: process.env['PATH'], ...env },
    })
  const braidApi = (...words: readonly string[]) =>
    program('apps/api/bin/braid-api.js', words, { BRAID_REDIS_URL: redis.url })

  it(SETUP, async () => {
    const tokens: Address[] = []
    for (const symbol of ['GOLD', 'COIN']) {
      const token = await deploy(testTokenBytecode)
      const args = [symbol, symbol, 18] as const
      await call(token, { abi: testTokenAbi, functionName: 'initialize', args })
      tokens.push(token)
    }
    ;[gold, coin] = tokens as [Address, Address]
    const { wrappedNative } = node
    const built = createRequire(import.meta.url)('@uniswap/v2-core/build/UniswapV2Factory.json')
    const bytecode: Hex = `0x${built.bytecode.replace(/^0x/, '')}`
    const factory = await deploy(encodeDeployData({ abi: factoryAbi, bytecode, args: [operator] }))
    await fillPair(factory, [gold, coin])
    await fillPair(factory, [gold, wrappedNative])
    await fillPair(factory, [wrappedNative, coin])
    // docs/venues.md
    writeFileSync(
      join(folder, 'venues.json'),
      JSON.stringify([{ id: 'my-v2', family: 'uniswapV2', factory, feePpm: 3000, fromBlock: 0 }]),
    )
    expect(await node.client.getCode({ address: factory })).toMatch(/^0x60/)
  })

  async function fillPair(factory: Address, tokens: readonly [Address, Address]) {
    await call(factory, { abi: factoryAbi, functionName: 'createPair', args: tokens })
    const found = {
      address: factory,
      abi: factoryAbi,
      functionName: 'getPair',
      args: tokens,
    } as const
    const pair = (await node.client.readContract(found)) as Address
    const args = [pair, 500n * E18] as const
    for (const token of tokens) {
      if (token === node.wrappedNative) {
        await node.send({ from: operator, to: token, value: 500n * E18 })
        await call(token, { abi: erc20Abi, functionName: 'transfer', args })
      } else await call(token, { abi: testTokenAbi, functionName: 'mint', args })
    }
    await call(pair, { abi: pairAbi, functionName: 'mint', args: [operator] })
  }

  it('deploys the router by the script, which then has nothing left to do', async () => {
    const out = join(folder, 'deployments.json')
    const words = ['--rpc', node.rpcUrl, '--private-key-env', 'KEY', '--send', '--out', out]
    const script = 'packages/contracts/scripts/deploy.mjs'
    await program(script, words, { KEY: OPERATOR_KEY })
    const { router } = JSON.parse(readFileSync(out, 'utf8'))['999'] as { router: Address }
    expect((await program(script, ['--rpc', node.rpcUrl])).stdout).toContain('has code already')
    expect((await braidApi('router')).stdout.trim().toLowerCase()).toBe(router.toLowerCase())
    const chainFile = join(folder, 'chain.json')
    writeFileSync(chainFile, JSON.stringify({ like: 'hyperevm', usdTokens: [coin] }))
    environment = {
      ...{ BRAID_RPC_URLS: node.rpcUrl, BRAID_ROUTER: router, BRAID_REDIS_URL: redis.url },
      ...{ BRAID_VENUES: join(folder, 'venues.json'), BRAID_CHAIN: chainFile, BRAID_PROXIES: '1' },
      // A slow machine starts a process for longer than a market is fresh by default.
      BRAID_MAX_STATE_AGE_MS: '60000',
    }
  })

  it('asks the doctor, who finds the venue', async () => {
    const venues = ['--venues', join(folder, 'venues.json')]
    const words = ['doctor', '--rpc', node.rpcUrl, ...venues, '--json']
    const { stdout } = await program('apps/cli/bin/braid.js', words).catch(
      (failed: { readonly stdout: string }) => failed,
    )
    const text = JSON.stringify(JSON.parse(stdout))
    expect(text).toContain('my-v2')
  })

  const start = ({ role, host, url }: Omit<Service, 'process'>) =>
    startService([], { ...environment, BRAID_ROLE: role, HOST: host, PORT: new URL(url).port })
  /** Waits until it answers by `block` or a later one. */
  const untilReady = async (url: string, block = 0n) => {
    const isReady = async () => {
      const answer = await fetch(`${url}/readyz`)
      const { blockNumber } = (await answer.json()) as { readonly blockNumber: string | null }
      return answer.ok && BigInt(blockNumber ?? 0) >= block
    }
    while (!(await isReady().catch(() => false))) await sleep(50)
  }

  it('makes a key, and starts two indexers, two readers and nginx', async () => {
    const words = ['--label', 'me', '--rate', '1000', '--burst', '1000']
    key = (await braidApi('keys', 'create', ...words)).stdout.trim()
    keyId = /^(\S+)\s.*\bme\b/m.exec((await braidApi('keys', 'list')).stdout)![1]!
    // As in containers, each process has an address of its own, and all have the same port.
    const servicePort = await freePort()
    for (const [i, role] of (['indexer', 'indexer', 'api', 'api'] as const).entries()) {
      const host = `127.0.0.${i + 2}`
      const place = { role, host, url: `http://${host}:${servicePort}` }
      services.push({ ...place, process: start(place) })
    }
    for (const { url } of services) await untilReady(url)
    const port = await freePort()
    const conf = readFileSync(join(repository, 'apps/api/operations/nginx.conf'), 'utf8')
      .replace(/resolver .*;/, '')
      .replace(/listen \d+/, `listen 127.0.0.1:${port}`)
      // Docker's DNS answers with one address for each reader. Here the upstream names them.
      .replace(/server reader:8080 resolve(.*);/g, (_, rest: string) =>
        services
          .filter(({ role }) => role === 'api')
          .map(({ host }) => `server ${host}:${servicePort}${rest};`)
          .join(' '),
      )
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, `pid ${folder}/nginx.pid;\ndaemon off;\nmaster_process off;\n${conf}`)
    programs.push(spawn(nginx!, ['-c', file, '-e', join(folder, 'nginx.log')], { stdio: 'ignore' }))
    origin = `http://127.0.0.1:${port}`
    await untilReady(origin)
  })

  const ask = async <T>(path: string, query: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${origin}/swap/v1/999/${path}?${new URLSearchParams(query)}`, {
      headers: { apikey: key },
    })
    const text = await answer.text()
    const body = text.startsWith('{') ? JSON.parse(text) : { code: 'BY_NGINX' }
    return { status: answer.status, body: body as T }
  }
  type Tx = { readonly to: Address; readonly data: Hex; readonly value: string }
  const send = ({ to, data, value }: Tx) =>
    node.send({ from: trader, to, data, value: BigInt(value) })

  it('quotes, and the swap receives the quote to the wei', async () => {
    const amount = 3n * E18
    const order = { src: gold, dst: coin, amount: `${amount}` }
    await call(gold, { abi: testTokenAbi, functionName: 'mint', args: [trader, amount] })
    const quoted = await ask<{ readonly dstAmount: string }>('quote', order)
    expect(quoted.status).toBe(200)
    await send((await ask<Tx>('approve/transaction', { tokenAddress: gold })).body)
    const swap = await ask<{ readonly tx: Tx; readonly dstAmount: string }>('swap', {
      ...{ ...order, slippage: '0.5', from: trader },
    })
    expect([swap.status, swap.body]).toMatchObject([200, { dstAmount: quoted.body.dstAmount }])
    await send(swap.body.tx)
    const received = await node.client.readContract({
      ...{ address: coin, abi: erc20Abi, functionName: 'balanceOf', args: [trader] },
    })
    expect(received).toBe(BigInt(quoted.body.dstAmount))
  })

  it('restarts every process in turn under load, and no caller notices', async () => {
    const order = { src: gold, dst: coin, amount: `${E18}` }
    // The market of the swap before must reach every reader first.
    const head = await node.client.getBlockNumber()
    for (const { url } of services) await untilReady(url, head)
    const { body: before } = await ask<{ readonly dstAmount: string }>('quote', order)
    const seen = new Map<string, number>()
    let isOver = false
    const load = Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (!isOver) {
          const { status, body } = await ask<{ dstAmount?: string; code?: string }>('quote', order)
          const what = `${status} ${body.code ?? body.dstAmount}`
          seen.set(what, (seen.get(what) ?? 0) + 1)
          await sleep(20)
        }
      }),
    )
    await sleep(AROUND_MS)
    for (const service of services) {
      service.process.signal('SIGTERM')
      expect(await service.process.ended).toBe(0)
      service.process = start(service)
      await untilReady(service.url)
      await sleep(AROUND_MS)
    }
    isOver = true
    await load
    const errors = readFileSync(join(folder, 'nginx.log'), 'utf8').slice(-2_000)
    expect([...seen.keys()], errors).toEqual([`200 ${before.dstAmount}`])
    expect([...seen.values()][0]).toBeGreaterThan(20)
  })

  it('revokes the key, which no process accepts any more', async () => {
    const order = { src: gold, dst: coin, amount: `${E18}` }
    await braidApi('keys', 'revoke', keyId)
    for (const { url: origin, role } of services) {
      if (role === 'indexer') continue
      const url = `${origin}/swap/v1/999/quote?${new URLSearchParams(order)}`
      const status = async () => (await fetch(url, { headers: { apikey: key } })).status
      await expect.poll(status).toBe(401)
    }
    for (let n = 0; n < 8; n++) expect((await ask('quote', order)).status).toBe(401)
  })
})

const factoryAbi = parseAbi([
  'constructor(address)',
  'function createPair(address, address) returns (address)',
  'function getPair(address, address) view returns (address)',
])
const pairAbi = parseAbi(['function mint(address) returns (uint256)'])
