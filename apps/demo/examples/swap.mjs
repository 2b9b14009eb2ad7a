// A swap with HTTP and a wallet library only; no contract ABI is needed.
// Run it while the demo runs: node apps/demo/examples/swap.mjs [folder of demo.json]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, createWalletClient, defineChain, erc20Abi, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const demo = JSON.parse(readFileSync(join(process.argv[2] ?? '.braid', 'demo.json'), 'utf8'))
const { apiUrl, apiKey, rpcUrl, chainId, tokens } = demo
const token = (symbol) => tokens.find((entry) => entry.symbol === symbol).address

const ask = async (path, query) => {
  const url = `${apiUrl}/swap/v1/${chainId}/${path}?${new URLSearchParams(query)}`
  const response = await fetch(url, { headers: { apikey: apiKey } })
  const body = await response.json()
  if (!response.ok) throw new Error(`${body.code}: ${body.message}`)
  return body
}

const account = privateKeyToAccount(demo.account.privateKey)
const nativeCurrency = { name: 'HYPE', symbol: 'HYPE', decimals: 18 }
const rpcUrls = { default: { http: [rpcUrl] } }
const chain = defineChain({ id: chainId, name: 'HyperEVM', nativeCurrency, rpcUrls })
const reader = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 500 })
const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) })

const send = async ({ to, data, value, gas }, fees) => {
  const named = Object.entries(fees).map(([name, wei]) => [name, BigInt(wei)])
  const hash = await wallet.sendTransaction({
    ...{ to, data, value: BigInt(value), gas: gas && BigInt(gas), ...Object.fromEntries(named) },
  })
  const receipt = await reader.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`${hash} failed`)
  return receipt
}
const balance = (address) =>
  reader.readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account.address],
  })

// 0. Check that the router exists: an address without code keeps the native tokens that it is sent. A
// client that does not run the API itself compares the code too: `verifyRouter` of @braid-swap/client.
const { address: router } = await ask('approve/spender', {})
if (!(await reader.getCode({ address: router }))) throw new Error(`no code at ${router}`)

// 1. Read the router's allowance. If it is too low, approve exactly the amount.
const amount = `${1_000n * 10n ** 6n}`
const [src, dst] = [token('USDC'), token('UBTC')]
const { allowance } = await ask('approve/allowance', {
  ...{ tokenAddress: src, walletAddress: account.address },
})
if (BigInt(allowance) < BigInt(amount)) {
  const approval = await ask('approve/transaction', { tokenAddress: src, amount })
  await send(approval, { gasPrice: approval.gasPrice })
}

// 2. Request the transaction, sign it and send it unchanged. `meta.fees` replaces `tx.gasPrice`: it has room for
// six full blocks, and only the base fee and the tip are paid.
const query = { src, dst, amount, slippage: '0.5', from: account.address, includeMeta: 'true' }
const { dstAmount, tx, meta } = await ask('swap', query)
if (tx.to.toLowerCase() !== router.toLowerCase()) throw new Error(`${tx.to} is not the router`)
const before = await balance(dst)
const { transactionHash } = await send(tx, meta.fees)
const received = (await balance(dst)) - before
console.log(`quoted ${dstAmount}, received ${received} of UBTC in ${transactionHash}`)
