/**
 * Hardhat's node, a chain that shares no code with the one of the other tests. It weighs 290 MB, so npm installs it in
 * a folder of this machine's temporary files, once, and not in the workspace.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SINGLETON_FACTORY } from '@braid-swap/contracts'
import type { Address, Hex } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { type ChainClient, createChainClient, startChain } from '@braid-swap/devnet'
import { freePort } from '@braid-swap/devnet/testing'
import { numberToHex, type TransactionReceipt } from 'viem'

const VERSION = '2.28.6'
const FOLDER = join(tmpdir(), `braid-hardhat-${VERSION}`)
const CHAIN_ID = 999
const SETTINGS = {
  solidity: '0.8.28',
  networks: {
    hardhat: {
      // HyperEVM has the rules of Cancun.
      ...{ chainId: CHAIN_ID, blockGasLimit: 30_000_000, hardfork: 'cancun' },
      mining: { auto: true, interval: 1_000 },
    },
  },
}

const run = promisify(execFile)

/** Installs Hardhat if it is not there; false if npm cannot reach it. */
export async function installHardhat(): Promise<boolean> {
  const program = join(FOLDER, 'node_modules/hardhat/internal/cli/cli.js')
  if (existsSync(program)) return true
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }')
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `hardhat@${VERSION}`]
  await run('npm', words, { cwd: FOLDER }).catch(() => {})
  return existsSync(program)
}

/** A transaction of an unlocked account. */
export type Sent = {
  readonly from: Address
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
}

/** Hardhat's node. */
export type HardhatNode = {
  readonly rpcUrl: string
  readonly client: ChainClient
  readonly wrappedNative: Address
  /** Sends a transaction and waits until it has succeeded. */
  readonly send: (sent: Sent) => Promise<TransactionReceipt>
  readonly stop: () => Promise<void>
}

/** Starts the node with what every chain has that we serve: the wrapped token, Multicall3, Permit2, the factory of Safe. */
export async function startHardhat(): Promise<HardhatNode> {
  writeFileSync(
    join(FOLDER, 'hardhat.config.cjs'),
    `module.exports = ${JSON.stringify(SETTINGS)}\n`,
  )
  const port = await freePort()
  const words = ['node_modules/hardhat/internal/cli/cli.js', '--config', 'hardhat.config.cjs']
  const child = spawn(process.execPath, [...words, 'node', '--port', `${port}`], {
    ...{ cwd: FOLDER, stdio: 'ignore' },
  })
  const killLeft = () => child.kill('SIGKILL')
  process.once('exit', killLeft)
  const rpcUrl = `http://127.0.0.1:${port}`
  const client = createChainClient(rpcUrl)
  while (
    !(await client.getChainId().then(
      () => true,
      () => false,
    ))
  )
    await sleep(200)
  const { wrappedNative } = await copySystemContracts(client)
  const stop = async () => {
    process.off('exit', killLeft)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const send = async ({ value = 0n, ...sent }: Sent) => {
    const transaction = { ...sent, value: numberToHex(value) }
    const hash = await client.request({ method: 'eth_sendTransaction', params: [transaction] })
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${hash} failed`)
    return receipt
  }
  return { rpcUrl, client, wrappedNative, send, stop }
}

/** Copies the code of the well-known contracts from a chain that has them. */
async function copySystemContracts(client: ChainClient) {
  const source = await startChain()
  const { wrappedNative, multicall3 } = source
  // The client is of another node, whose methods have other names.
  const request = client.request as (asked: object) => Promise<unknown>
  const addresses: readonly Address[] = [wrappedNative, multicall3, PERMIT2, SINGLETON_FACTORY]
  for (const address of addresses) {
    const code = await source.client.getCode({ address })
    await request({ method: 'hardhat_setCode', params: [address, code] })
  }
  // WETH9 keeps its name, symbol and decimals there.
  for (const slot of ['0x0', '0x1', '0x2'] as const) {
    const value = await source.client.getStorageAt({ address: wrappedNative, slot })
    await request({ method: 'hardhat_setStorageAt', params: [wrappedNative, slot, value] })
  }
  await source.stop()
  return { wrappedNative }
}
