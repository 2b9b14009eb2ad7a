/**
 * The deployment as an operator does it: the published script in its own process, on a chain without
 * our contracts. The chain's base fee is low, so the usual tip of a wallet would exceed the whole fee.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkDeployment, executorDeployment, routerDeployment } from '@braid-swap/contracts'
import { type Chain, startChain } from '@braid-swap/devnet'
import { startProgram } from '@braid-swap/worlds/program'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../../contracts/scripts/deploy.mjs', import.meta.url))

let chain: Chain
let folder: string
let out: string

beforeAll(async () => {
  chain = await startChain()
  folder = await mkdtemp(join(tmpdir(), 'braid-deploy-'))
  out = join(folder, 'deployments.json')
  await writeFile(out, '{}\n')
})
afterAll(async () => {
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the script to its end, while the chain mines blocks. */
async function deploy(key: string, ...more: readonly string[]) {
  const account = ['--private-key-env', 'DEPLOY_KEY', '--out', out]
  const options = ['--rpc', chain.rpcUrl, ...account, ...more]
  const script = startProgram([process.execPath, SCRIPT, ...options], { env: { DEPLOY_KEY: key } })
  let code: number | string | undefined
  void script.ended.then((exit) => {
    code = exit
  })
  while (code === undefined) {
    await chain.mine()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { code, text: [...script.out, ...script.err].join('\n') }
}

describe('the deployment script', () => {
  it('says how it is called, and needs no node for that', async () => {
    for (const [word, exitCode] of [
      ['--help', 0],
      [undefined, 1],
      ['--sned', 1],
    ] as const) {
      const script = startProgram([process.execPath, SCRIPT, ...(word ? [word] : [])])
      const code = await script.ended
      const text = (exitCode === 0 ? script.out : script.err).join('\n')
      expect([code, text]).toEqual([exitCode, expect.stringContaining('--send')])
      expect(text).not.toContain('    at ')
    }
  })

  it('sends nothing by default, and reports the addresses and the gas', async () => {
    const { router, factory } = routerDeployment(chain.wrappedNative)
    const { code, text } = await deploy('none')
    expect([code, text]).toEqual([0, expect.stringContaining('nothing was sent')])
    const { address } = executorDeployment(router, chain.wrappedNative).executor
    for (const part of [router, address, factory, 'keccak256 0x']) expect(text).toContain(part)
    expect(text).toMatch(/^gas +[1-9]\d{6}, about/m)
    expect(await chain.client.getCode({ address: router })).toBeUndefined()
    expect(await readFile(out, 'utf8')).toBe('{}\n')
  })

  it('names the cause of a failure, without the creation code', async () => {
    const { calldata } = routerDeployment(chain.wrappedNative)
    const penniless = `0x${'11'.repeat(32)}`
    const { code, text } = await deploy(penniless, '--send')
    expect([code, text]).toEqual([1, expect.stringMatching(/funds/i)])
    expect(text).not.toContain(calldata.slice(2, 200))
    expect(text.length).toBeLessThan(1_000)
  })

  it('deploys the router into a small block, and says what the executor needs', async () => {
    const { gasLimit } = await chain.client.getBlock()
    const key = chain.accounts[2]!.privateKey
    const id = await chain.client.snapshot()
    await chain.client.setBlockGasLimit({ gasLimit: 3_000_000n })
    await chain.mine()
    const { code, text } = await deploy(key, '--send')
    await chain.client.revert({ id })
    await chain.client.setBlockGasLimit({ gasLimit })
    await chain.mine()
    expect([code, text]).toEqual([1, expect.stringMatching(/^the router, 0x\w+: success/)])
    expect(text).toContain('has only 3000000 gas: for the executor the sender must use big blocks')
  })

  it('deploys router and executor on a chain whose base fee is below a usual tip, and records them', async () => {
    const { router } = routerDeployment(chain.wrappedNative)
    const { executor } = executorDeployment(router, chain.wrappedNative)
    const { code, text } = await deploy(chain.accounts[2]!.privateKey, '--send')
    expect(text).toContain('success')
    expect(code).toBe(0)
    const { wrappedNative } = chain
    const wanted = { router, wrappedNative, executors: [executor] }
    expect((await checkDeployment(chain.client, wanted)).faults).toEqual([])
    expect(JSON.parse(await readFile(out, 'utf8'))).toEqual({
      999: { router, executors: [executor] },
    })
    const block = await chain.client.getBlock({ includeTransactions: true })
    expect(block.baseFeePerGas).toBeLessThan(10n ** 9n)
  })

  it('only compares an existing deployment, for any sender', async () => {
    const { code, text } = await deploy('none')
    expect(text).toContain('has code already')
    expect(code).toBe(0)
  })
})
