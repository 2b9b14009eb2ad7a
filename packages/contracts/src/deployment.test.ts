import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  checkDeployment,
  routerAbi,
  routerBytecode,
  routerDeployment,
  SINGLETON_FACTORY,
} from './index.js'
import { testTokenAbi, testTokenDeployedBytecode } from './testing.js'

const WHYPE = '0x5555555555555555555555555555555555555555'
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const OTHER_WRAPPED = '0x0000000000000000000000000000000000005555'
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
/** The sender's private key, known from every development node. */
const SENDER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** Runtime code of the singleton factory: CREATE2 of everything after the first 32 bytes. */
const FACTORY_CODE =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

const require = createRequire(import.meta.url)

function findAnvil(): string {
  const fromAnvil = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  return fromAnvil.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`)
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

function connect(port: number) {
  return createTestClient({ mode: 'anvil', transport: http(`http://127.0.0.1:${port}`) })
    .extend(publicActions)
    .extend(walletActions)
}

function readWrappedNativeCode(): Hex {
  const path = require.resolve('canonical-weth/build/contracts/WETH9.json')
  return JSON.parse(readFileSync(path, 'utf8')).deployedBytecode
}

describe('routerDeployment', () => {
  let anvil: ChildProcess
  let client: ReturnType<typeof connect>
  let rpcUrl: string
  const deployment = routerDeployment(WHYPE)
  const { router, executor } = deployment

  beforeAll(async () => {
    const port = await findFreePort()
    const args = ['--port', `${port}`, '--chain-id', '999', '--hardfork', 'cancun']
    anvil = spawn(findAnvil(), args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise<void>((resolve, reject) => {
      anvil.once('error', reject)
      anvil.stdout?.on('data', (text) => `${text}`.includes('Listening on') && resolve())
    })
    client = connect(port)
    rpcUrl = `http://127.0.0.1:${port}`
    await client.setCode({ address: SINGLETON_FACTORY, bytecode: FACTORY_CODE })
    await client.setCode({ address: WHYPE, bytecode: readWrappedNativeCode() })
    const hash = await client.sendTransaction({
      account: SENDER,
      chain: null,
      to: deployment.factory,
      data: deployment.calldata,
    })
    await client.waitForTransactionReceipt({ hash, pollingInterval: 10 })
  })

  afterAll(() => {
    anvil?.kill()
  })

  it('has the predicted addresses of router and executor', async () => {
    const read = { address: router, abi: routerAbi } as const
    expect(
      `${await client.readContract({ ...read, functionName: 'executor' })}`.toLowerCase(),
    ).toBe(executor)
    expect(await client.readContract({ ...read, functionName: 'wrappedNative' })).toBe(WHYPE)
    expect(await client.getCode({ address: executor })).toMatch(/^0x[0-9a-f]{1000,}$/)
  })

  it('equals the published code, byte by byte', async () => {
    const report = await checkDeployment(client, WHYPE)
    expect(report).toMatchObject({ router, executor, faults: [] })
    const code = (await client.getCode({ address: executor }))!
    // The last byte of the executor: one bit of it is enough.
    const last = Number.parseInt(code.slice(-2), 16) ^ 1
    const changed: Hex = `0x${code.slice(2, -2)}${last.toString(16).padStart(2, '0')}`
    await client.setCode({ address: executor, bytecode: changed })
    expect((await checkDeployment(client, WHYPE)).faults).toEqual(['the executor runs other code'])
    await client.setCode({ address: executor, bytecode: code })
    expect((await checkDeployment(client, WHYPE)).faults).toEqual([])
  })

  it('can be checked at another address, where the same code has another executor', async () => {
    const hash = await client.deployContract({
      ...{ account: SENDER, chain: null, abi: routerAbi, bytecode: routerBytecode, args: [WHYPE] },
    })
    const { contractAddress } = await client.waitForTransactionReceipt({
      ...{ hash, pollingInterval: 10 },
    })
    const elsewhere = await checkDeployment(client, WHYPE, contractAddress!)
    expect(elsewhere).toMatchObject({ router: contractAddress!.toLowerCase(), faults: [] })
    expect(elsewhere.executor).not.toBe(executor)
    const stranger = await checkDeployment(client, WHYPE, SENDER)
    expect(stranger.faults[0]).toBe(`no router at ${SENDER}`)
    expect((await checkDeployment(client, WHYPE, WHYPE)).faults).not.toEqual([])
    const foreign = await checkDeployment(client, OTHER_WRAPPED, contractAddress!)
    expect(foreign.faults).toContain('the router runs other code')
  })

  it('has every published contract compared with its compiled sources by Foundry', async () => {
    const path = new URL('../test/Artifacts.t.sol', import.meta.url)
    const compared = [...(await readFile(path, 'utf8')).matchAll(/type\((\w+)\)\.creationCode/g)]
    const { code } = JSON.parse(
      await readFile(new URL('generated/manifest.json', import.meta.url), 'utf8'),
    )
    expect(compared.map(([, name]) => name).sort()).toEqual(Object.keys(code).sort())
  })

  it('is reported as missing if it is not deployed', async () => {
    const { faults, router } = await checkDeployment(client, NATIVE)
    expect(faults).toContain(`no router at ${router}`)
    expect(faults).toContain(`no wrapped token at ${NATIVE}`)
  })

  it('can be deployed by the script, by any account and repeatedly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braid-deploy-'))
    const out = join(folder, 'deployments.json')
    await writeFile(out, '{ "1": { "router": "0x01", "executor": "0x02" } }')
    // Another wrapped token, so that there is something to deploy.
    const code = await client.getCode({ address: WHYPE })
    await client.setCode({ address: OTHER_WRAPPED, bytecode: code! })
    const script = fileURLToPath(new URL('../scripts/deploy.mjs', import.meta.url))
    const words = ['--rpc', rpcUrl, '--private-key-env', 'KEY', '--wrapped-native', OTHER_WRAPPED]
    words.push('--send')
    for (const output of [': success, ', 'has code already']) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [script, ...words, '--out', out],
        { env: { ...process.env, KEY: SENDER_KEY } },
      )
      expect(stdout).toContain(output)
      const { router, executor } = routerDeployment(OTHER_WRAPPED)
      const noted = JSON.parse(await readFile(out, 'utf8'))
      expect(noted).toEqual({ 1: { router: '0x01', executor: '0x02' }, 999: { router, executor } })
    }
    await rm(folder, { recursive: true })
  })

  it('is not sent by the script without the singleton factory', async () => {
    const { factory } = routerDeployment(NATIVE)
    const code = await client.getCode({ address: factory })
    await client.setCode({ address: factory, bytecode: '0x' })
    const nonce = await client.getTransactionCount({ address: SENDER })
    const script = fileURLToPath(new URL('../scripts/deploy.mjs', import.meta.url))
    const words = [
      '--rpc',
      rpcUrl,
      '--private-key-env',
      'KEY',
      '--wrapped-native',
      NATIVE,
      '--send',
    ]
    const run = promisify(execFile)(process.execPath, [script, ...words], {
      env: { ...process.env, KEY: SENDER_KEY },
    })
    await expect(run).rejects.toThrow(`no singleton factory at ${factory}`)
    expect(await client.getTransactionCount({ address: SENDER })).toBe(nonce)
    await client.setCode({ address: factory, bytecode: code! })
  })

  it('wraps and unwraps through the deployed router', async () => {
    const amount = parseEther('1')
    const deadline = 2n ** 64n
    const args = [NATIVE, amount, WHYPE, amount, SENDER, deadline, '0x00'] as const
    const data = encodeFunctionData({ abi: routerAbi, functionName: 'swap', args })
    const hash = await client.sendTransaction({
      account: SENDER,
      chain: null,
      to: router,
      data,
      value: amount,
    })
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 10 })
    expect(receipt.status).toBe('success')
    const balance = { address: WHYPE, abi: testTokenAbi, functionName: 'balanceOf' } as const
    expect(await client.readContract({ ...balance, args: [SENDER] })).toBe(amount)
    expect(await client.readContract({ ...balance, args: [executor] })).toBe(0n)
  })

  it("includes the executor's errors, which reach the caller through the router", async () => {
    const args = [NATIVE, 1n, WHYPE, 1n, SENDER, 2n ** 64n, '0xff'] as const
    const call = client.simulateContract({
      account: SENDER,
      address: router,
      abi: routerAbi,
      functionName: 'swap',
      args,
      value: 1n,
    })
    await expect(call).rejects.toThrow('ProgramTruncated(uint256 offset, uint256 size')
  })

  it('lets the test token be named once, at any address', async () => {
    const address = '0x00000000000000000000000000000000000000aa'
    await client.setCode({ address, bytecode: testTokenDeployedBytecode })
    const token = { address, abi: testTokenAbi } as const
    const initialize = {
      ...token,
      account: SENDER,
      functionName: 'initialize',
      args: ['Some Token', 'SOME', 6],
    } as const
    const hash = await client.writeContract({ ...initialize, chain: null })
    await client.waitForTransactionReceipt({ hash, pollingInterval: 10 })
    expect(await client.readContract({ ...token, functionName: 'symbol' })).toBe('SOME')
    expect(await client.readContract({ ...token, functionName: 'decimals' })).toBe(6)
    await expect(client.simulateContract(initialize)).rejects.toThrow('AlreadyInitialized')
  })

  it('depends only on the wrapped token and the bytecode', () => {
    expect(routerDeployment(WHYPE)).toEqual(deployment)
    expect(routerDeployment(NATIVE).router).not.toBe(router)
    expect(deployment.calldata.startsWith(`${deployment.salt}${routerBytecode.slice(2)}`)).toBe(
      true,
    )
    expect(router).toBe(router.toLowerCase())
  })
})
