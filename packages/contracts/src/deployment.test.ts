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
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  pad,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ROUTER_CODE_HASH } from './code.js'
import { routerDeployedBytecode } from './generated/router.js'
import {
  type Creation,
  checkDeployment,
  executorAbi,
  executorDeployment,
  executorFor,
  type KnownExecutor,
  knownExecutors,
  routerAbi,
  routerBytecode,
  routerDeployment,
  SINGLETON_FACTORY,
  shippedRouter,
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

/** The calldata of the same creation at another address. */
function otherSalt({ salt, calldata }: Creation): Hex {
  return `${salt.slice(0, -1)}1${calldata.slice(salt.length)}` as Hex
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
  const { router } = deployment
  const next = executorDeployment(router, WHYPE)
  const executor = next.executor.address
  const check = (
    at = router,
    executors: readonly KnownExecutor[] = knownExecutors(at, WHYPE),
    wrappedNative: Address = WHYPE,
  ) => checkDeployment(client, { router: at, wrappedNative, executors })
  // A watcher of blocks can miss the only block and then waits for ever, because no other one comes.
  const receiptOf = (hash: Hex) =>
    vi.waitFor(() => client.getTransactionReceipt({ hash }), { timeout: 30_000, interval: 10 })
  const send = async ({ factory, calldata }: Creation) => {
    const hash = await client.sendTransaction({
      ...{ account: SENDER, chain: null, to: factory, data: calldata },
    })
    return receiptOf(hash)
  }

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
    await send(deployment)
    await send(next)
  })

  afterAll(() => {
    anvil?.kill()
  })

  it('has the predicted addresses and code of router and executor', async () => {
    const read = { address: router, abi: routerAbi, functionName: 'wrappedNative' } as const
    expect(await client.readContract(read)).toBe(WHYPE)
    const known = { address: executor, abi: executorAbi, functionName: 'router' } as const
    expect((await client.readContract(known)).toLowerCase()).toBe(router)
    expect(await client.getCode({ address: router })).toBe(deployment.code)
    expect(keccak256((await client.getCode({ address: executor }))!)).toBe(next.executor.codeHash)
  })

  it('is the code whose hashes are published', () => {
    expect(shippedRouter).toEqual({
      ...{ wrappedNative: WHYPE, router, executors: knownExecutors(router, WHYPE) },
    })
    expect(ROUTER_CODE_HASH).toBe(keccak256(routerDeployedBytecode))
  })

  it('needs small blocks for the router alone', async () => {
    const again = await client.estimateGas({ to: SINGLETON_FACTORY, data: otherSalt(deployment) })
    expect(again).toBeLessThan(3_000_000n)
  })

  it('does not create an executor before its router', async () => {
    const { calldata } = executorDeployment(OTHER_WRAPPED, WHYPE)
    const early = client.estimateGas({ account: SENDER, to: SINGLETON_FACTORY, data: calldata })
    await expect(early).rejects.toThrow()
  })

  it('equals the published code, to the last bit', async () => {
    const report = await check()
    expect(report).toMatchObject({ router, executors: [next.executor], faults: [] })
    const code = (await client.getCode({ address: executor }))!
    // The last byte of the executor: one bit of it is enough.
    const last = Number.parseInt(code.slice(-2), 16) ^ 1
    const changed: Hex = `0x${code.slice(2, -2)}${last.toString(16).padStart(2, '0')}`
    await client.setCode({ address: executor, bytecode: changed })
    expect((await check()).faults).toEqual([`the executor ${executor} runs other code`])
    await client.setCode({ address: executor, bytecode: code })
    expect((await check()).faults).toEqual([])
  })

  it('finds an immutable that is another of the known addresses, or zero', async () => {
    for (const [address, fault] of [
      [router, 'the router runs other code'],
      [executor, `the executor ${executor} runs other code`],
    ] as const) {
      const code = (await client.getCode({ address }))!
      const word = pad(WHYPE).slice(2)
      for (const other of [pad(router).slice(2), '00'.repeat(32)]) {
        await client.setCode({ address, bytecode: code.replace(word, other) as Hex })
        expect((await check()).faults).toEqual([fault])
      }
      await client.setCode({ address, bytecode: code })
    }
  })

  it('leaves out an executor that is not deployed, and refuses one of other code', async () => {
    const newer = { ...next.executor, version: 2, address: SENDER } as const
    const executors = [newer, next.executor]
    const before = await check(router, executors)
    expect(before).toMatchObject({ executors: [next.executor], faults: [] })
    await client.setCode({ address: SENDER, bytecode: '0x60' })
    const other = await check(router, executors)
    expect(other.faults).toEqual([`the executor ${SENDER} runs other code`])
    const codeHash = keccak256('0x60')
    const moved = await check(router, [{ ...newer, codeHash }])
    expect(moved).toMatchObject({ executors: [{ version: 2 }], faults: [] })
    await client.setCode({ address: SENDER, bytecode: '0x' })
    const none = await check(router, [newer])
    expect(none.faults).toEqual([`no executor at ${SENDER}`])
  })

  it('names the newest executor that knows all families of a route', () => {
    const [own] = knownExecutors(router, WHYPE)
    expect(own).toEqual(next.executor)
    const newer = { ...own, version: 2, families: ['stex', 'later'] }
    const executors = [newer, own]
    expect(executorFor(executors, [])).toBe(newer)
    expect(executorFor(executors, ['stex'])).toBe(newer)
    expect(executorFor(executors, ['stex', 'ladder'])).toBe(own)
    expect(executorFor(executors, ['later', 'ladder'])).toBeUndefined()
  })

  it('can be checked at another address, where the executor is another one too', async () => {
    const hash = await client.deployContract({
      ...{ account: SENDER, chain: null, abi: routerAbi, bytecode: routerBytecode, args: [WHYPE] },
    })
    const { contractAddress } = await receiptOf(hash)
    const { executor: other } = executorDeployment(contractAddress!, WHYPE)
    const early = await check(contractAddress!)
    expect(early.faults).toEqual([`no executor at ${other.address}`])
    await send(executorDeployment(contractAddress!, WHYPE))
    const elsewhere = await check(contractAddress!)
    expect(elsewhere).toMatchObject({ router: contractAddress!.toLowerCase(), faults: [] })
    expect(elsewhere.executors).toEqual([other])
    const stranger = await check(SENDER)
    expect(stranger.faults[0]).toBe(`no router at ${SENDER}`)
    expect((await check(WHYPE)).faults).toContain('the router runs other code')
    const foreign = await check(contractAddress!, [other], OTHER_WRAPPED)
    expect(foreign.faults).toContain('the router runs other code')
  })

  it('is reported as missing if it is not deployed', async () => {
    const { router } = routerDeployment(NATIVE)
    const { faults } = await check(router, [], NATIVE)
    expect(faults).toContain(`no router at ${router}`)
    expect(faults).toContain(`no wrapped token at ${NATIVE}`)
  })

  it('can be deployed by the script, by any account and repeatedly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braid-deploy-'))
    const out = join(folder, 'deployments.json')
    const older = { version: 0, address: '0x02', codeHash: '0x03', families: [] }
    const others = { 1: { router: '0x01', executors: [older] } }
    await writeFile(out, JSON.stringify({ ...others, 999: { router: '0x', executors: [older] } }))
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
      const { router } = routerDeployment(OTHER_WRAPPED)
      const executors = [executorDeployment(router, OTHER_WRAPPED).executor, older]
      const noted = JSON.parse(await readFile(out, 'utf8'))
      expect(noted).toEqual({ ...others, 999: { router, executors } })
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

  const order = ({ amount, deadline }: { readonly amount: bigint; readonly deadline: bigint }) => ({
    ...({ tokenIn: NATIVE, amountIn: amount, tokenOut: WHYPE, minAmountOut: amount } as const),
    ...({ receiver: SENDER, deadline, executor, payee: executor } as const),
  })

  it('wraps and unwraps through the deployed router', async () => {
    const amount = parseEther('1')
    const deadline = 2n ** 64n
    const args = [order({ amount, deadline }), '0x00'] as const
    const data = encodeFunctionData({ abi: routerAbi, functionName: 'swap', args })
    const hash = await client.sendTransaction({
      account: SENDER,
      chain: null,
      to: router,
      data,
      value: amount,
    })
    const receipt = await receiptOf(hash)
    expect(receipt.status).toBe('success')
    const balance = { address: WHYPE, abi: testTokenAbi, functionName: 'balanceOf' } as const
    expect(await client.readContract({ ...balance, args: [SENDER] })).toBe(amount)
    expect(await client.readContract({ ...balance, args: [executor] })).toBe(0n)
  })

  it("includes the executor's errors, which reach the caller through the router", async () => {
    const args = [order({ amount: 1n, deadline: 2n ** 64n }), '0xff'] as const
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
    await receiptOf(hash)
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
