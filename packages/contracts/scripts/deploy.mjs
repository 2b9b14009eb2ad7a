/**
 * Deploys the router and its newest executor through the Safe singleton factory, at the same addresses
 * for every sender, compares the deployed with the published code, and records both in
 * `deployments.json`. `--help` says how.
 *
 * The dry run reports the addresses, what each transaction costs and what would make it fail. It can be
 * repeated any time: what exists is only compared, so a new executor is deployed beside the older ones.
 * FILE is created if absent. On HyperEVM the sender must use big blocks
 * (`evmUserModify {usingBigBlocks: true}`) for the executor, which needs more gas than a small block has.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BaseError, createWalletClient, formatEther, http, keccak256, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  checkDeployment,
  executorDeployment,
  knownExecutors,
  routerDeployment,
} from '../dist/index.js'

const WHYPE = '0x5555555555555555555555555555555555555555'
/** HyperEVM's small blocks. */
const SMALL_BLOCK_GAS = 3_000_000n
/** The published code of the package. */
const published = fileURLToPath(new URL('../deployments.json', import.meta.url))
const USAGE = `Deploys the router and its executor, or compares and reports the deployed ones.

  node scripts/deploy.mjs --rpc URL [--wrapped-native 0x…]                  a dry run: sends nothing
  node scripts/deploy.mjs --rpc URL --private-key-env NAME --send [--wrapped-native 0x…] [--out FILE]

  --rpc URL               the node
  --private-key-env NAME  the environment variable with the key of the sender
  --send                  send the transactions; without it nothing is sent
  --wrapped-native 0x…    the wrapped native token; WHYPE by default
  --out FILE              where the addresses are noted; deployments.json of the package by default`
const values = readArguments()
const wrappedNative = values['wrapped-native'].toLowerCase()
const client = createWalletClient({ transport: http(values.rpc) }).extend(publicActions)

/** The arguments; ends the process with the usage if they are wrong, or if it is asked for. */
function readArguments() {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    rpc: { type: 'string' },
    'private-key-env': { type: 'string' },
    send: { type: 'boolean', default: false },
    'wrapped-native': { type: 'string', default: WHYPE },
    out: { type: 'string', default: published },
  }
  try {
    const { values } = parseArgs({ options })
    if (!values.help && values.rpc === undefined) throw new Error('wanted --rpc URL')
    if (!values.help) return values
    console.log(USAGE)
    process.exit(0)
  } catch ({ message }) {
    console.error(`${message}\n\n${USAGE}`)
    process.exit(1)
  }
}

/** Creates the router, then its executor: whichever does not exist yet. */
async function deploy() {
  const { router, ...creation } = routerDeployment(wrappedNative)
  const { executor, ...next } = executorDeployment(router, wrappedNative)
  await create({ ...creation, name: 'router', address: router, needs: wrappedNative })
  await create({ ...next, name: 'executor', address: executor.address, needs: router })
}

/** Sends the creation of a contract unless it exists. */
async function create({ factory, calldata, name, address, needs }) {
  if (await client.getCode({ address })) {
    return console.log(`the ${name} ${address} has code already`)
  }
  // A call to an address without code succeeds and only burns gas.
  if (!(await client.getCode({ address: factory }))) {
    throw new Error(`no singleton factory at ${factory}, so nothing can create the ${name}`)
  }
  if (name === 'router' && !(await client.getCode({ address: needs }))) {
    throw new Error(`no wrapped token at ${needs}: give that of the chain by --wrapped-native`)
  }
  if (!values.send) return plan({ factory, calldata, name, address, needs })
  const key = process.env[values['private-key-env'] ?? '']
  if (!/^0x[0-9a-fA-F]{64}$/.test(key ?? '')) {
    throw new Error(
      '--private-key-env: wanted the name of an environment variable that contains 0x and 64 hex digits',
    )
  }
  const account = privateKeyToAccount(key)
  // HyperEVM burns tips, and a node may suggest a tip above the maximum fee.
  const fees = { maxPriorityFeePerGas: 0n }
  const call = { account, chain: null, to: factory, data: calldata, ...fees }
  const hash = await client.sendTransaction(call)
  const { status, gasUsed } = await client.waitForTransactionReceipt({ hash })
  console.log(`the ${name}, ${hash}: ${status}, ${gasUsed} gas`)
}

/** Reports what a transaction does and costs. Fails if it would fail. */
async function plan({ factory, calldata, name, address, needs }) {
  const isReady = await client.getCode({ address: needs })
  console.log(`to        ${factory} (the Safe singleton factory)
creates   ${address}, the ${name}
calldata  ${calldata.length / 2 - 1} bytes, keccak256 ${keccak256(calldata)}`)
  if (isReady) {
    const [gas, { baseFeePerGas = 0n }] = await Promise.all([
      client.estimateGas({ to: factory, data: calldata }),
      client.getBlock(),
    ])
    const cost = formatEther(gas * baseFeePerGas)
    console.log(`gas       ${gas}, about ${cost} of the native token at the newest block's fee`)
  } else console.log('gas       not known before the router is there')
  console.log('a dry run: nothing was sent. To send it, add --send --private-key-env NAME')
}

/** A node does not name a small block as the cause: its estimate only reverts. */
async function warnOfSmallBlock() {
  const { gasLimit } = await client.getBlock()
  if (gasLimit > SMALL_BLOCK_GAS) return
  console.error(`a block has only ${gasLimit} gas: for the executor the sender must use big blocks`)
}

/** Adds the chain to the file, with chain ids in ascending order, and the newest executor first. */
function note(chainId, { router, executors: [newest] }) {
  const known = existsSync(values.out) ? JSON.parse(readFileSync(values.out, 'utf8')) : {}
  const older = (known[chainId]?.executors ?? []).filter(
    ({ address }) => address !== newest.address,
  )
  const entry = { router, executors: [newest, ...older] }
  const entries = Object.entries({ ...known, [chainId]: entry })
  const sorted = Object.fromEntries(entries.sort(([a], [b]) => Number(a) - Number(b)))
  writeFileSync(values.out, `${JSON.stringify(sorted, null, 2)}\n`)
}

async function main() {
  const chainId = await client.getChainId()
  await deploy()
  const { router } = routerDeployment(wrappedNative)
  const executors = knownExecutors(router, wrappedNative)
  const report = await checkDeployment(client, { router, wrappedNative, executors })
  // A dry run before the deployment has nothing to compare yet.
  const isPlan = !values.send && report.codeHash === undefined
  console.log(JSON.stringify({ chainId, ...report }, null, 2))
  if (report.faults.length > 0) process.exitCode = isPlan ? 0 : 1
  else if (values.send) {
    note(chainId, report)
    console.log(`noted in ${values.out}`)
    if (values.out === published) {
      console.log('now run pnpm --filter @braid-swap/contracts generate')
    }
  }
}

/** The cause alone: viem's whole message repeats the request, with all of the creation code. */
function reasonOf(error) {
  if (!(error instanceof BaseError)) return error.message
  return [error.shortMessage, error.details].filter(Boolean).join('\n')
}

try {
  await main()
} catch (error) {
  console.error(reasonOf(error))
  process.exitCode = 1
  await warnOfSmallBlock().catch(() => {})
}
