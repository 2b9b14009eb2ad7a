/**
 * Puts the router on a chain through the Safe singleton factory, where anybody's run of this puts
 * it, compares what is there with what is published here, and notes it in `deployments.json`.
 *
 *   node scripts/deploy.mjs --rpc URL --private-key-env NAME [--wrapped-native 0x…] [--out FILE]
 *
 * Run it again at any time: what is there already is only compared. FILE is created if absent. On
 * HyperEVM the sender must be on big blocks (`evmUserModify {usingBigBlocks: true}`): a small one
 * holds 2M gas, this takes more.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { checkDeployment, routerDeployment } from '../dist/index.js'

const WHYPE = '0x5555555555555555555555555555555555555555'
/** What the package publishes. */
const published = fileURLToPath(new URL('../deployments.json', import.meta.url))
const { values } = parseArgs({
  options: {
    rpc: { type: 'string' },
    'private-key-env': { type: 'string' },
    'wrapped-native': { type: 'string', default: WHYPE },
    out: { type: 'string', default: published },
  },
})
const wrappedNative = values['wrapped-native'].toLowerCase()
const client = createWalletClient({ transport: http(values.rpc) }).extend(publicActions)

/** Sends the creation, unless the router is there. */
async function deploy() {
  const { factory, calldata, router } = routerDeployment(wrappedNative)
  if (await client.getCode({ address: router })) return console.log(`${router} has code already`)
  // A call of an address without code succeeds, and only burns gas.
  if (!(await client.getCode({ address: factory }))) {
    throw new Error(`no singleton factory at ${factory}: nothing there would create the router`)
  }
  const key = process.env[values['private-key-env'] ?? '']
  if (!/^0x[0-9a-fA-F]{64}$/.test(key ?? '')) {
    throw new Error(
      '--private-key-env: wanted the name of a variable that holds 0x and 64 hex digits',
    )
  }
  const account = privateKeyToAccount(key)
  // HyperEVM burns tips, and the one that a node suggests may exceed the fee that pays for it.
  const fees = { maxPriorityFeePerGas: 0n }
  const call = { account, chain: null, to: factory, data: calldata, ...fees }
  const hash = await client.sendTransaction(call)
  const { status, gasUsed } = await client.waitForTransactionReceipt({ hash })
  console.log(`${hash}: ${status}, ${gasUsed} gas`)
}

/** Adds the chain to the file, chains in ascending order. */
function note(chainId, { router, executor }) {
  const known = existsSync(values.out) ? JSON.parse(readFileSync(values.out, 'utf8')) : {}
  const entries = Object.entries({ ...known, [chainId]: { router, executor } })
  const sorted = Object.fromEntries(entries.sort(([a], [b]) => Number(a) - Number(b)))
  writeFileSync(values.out, `${JSON.stringify(sorted, null, 2)}\n`)
}

if (values.rpc === undefined) throw new Error('wanted --rpc URL')
const chainId = await client.getChainId()
await deploy()
const report = await checkDeployment(client, wrappedNative)
console.log(JSON.stringify({ chainId, ...report }, null, 2))
if (report.faults.length > 0) process.exitCode = 1
else {
  note(chainId, report)
  console.log(`noted in ${values.out}`)
  if (values.out === published) console.log('now run pnpm --filter @braid-swap/contracts generate')
}
