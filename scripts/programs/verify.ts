// Verification of an API that a stranger runs: the router's code on a node of one's own, then the transaction. The one
// that is sent is compared in every field, and one that pays somebody else is refused.
import {
  createBraid,
  MismatchError,
  UnreachableError,
  verifyRouter,
  verifySwap,
} from '@braid-swap/client'
import { decodeRouterCall, encodeRouterCall, NATIVE, type RouterCall } from '@braid-swap/core'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hyperEvm } from 'viem/chains'
import { demo, usdc } from './demo.js'

const account = privateKeyToAccount(demo.account.privateKey)
const transport = http(demo.rpcUrl)
const wallet = createWalletClient({ account, chain: hyperEvm, transport }).extend(publicActions)
const braid = createBraid({ url: demo.apiUrl, apiKey: demo.apiKey })

const known = await verifyRouter(wallet)
const request = {
  ...{ src: NATIVE, dst: usdc, amount: 10n ** 18n, slippage: 0.5, from: demo.account.address },
} as const
const terms = {
  ...{ ...known, minAmountOut: 35_000_000n, maxNetworkFee: 10n ** 16n },
  latestDeadline: BigInt(Math.floor(Date.now() / 1_000)) + 1_800n,
}
const answer = await braid.swap(request)
const thiefs = (call: RouterCall): RouterCall => ({ ...call, receiver: `0x${'bad'.repeat(13)}0` })
const { data } = answer.tx
try {
  const tx = { ...answer.tx, data: encodeRouterCall(thiefs(decodeRouterCall(data))) }
  verifySwap({ ...answer, tx }, request, terms)
  throw new Error('a swap that pays a thief was accepted')
} catch (error) {
  if (!(error instanceof MismatchError)) throw error
}
const { tx } = verifySwap(answer, request, terms)
const receipt = await wallet.waitForTransactionReceipt({ hash: await wallet.sendTransaction(tx) })
if (receipt.status !== 'success') throw new Error('the swap failed')
try {
  await createBraid({ url: 'http://127.0.0.1:9', apiKey: 'none' }).quote(request)
  throw new Error('nobody answered')
} catch (error) {
  if (!(error instanceof UnreachableError)) throw error
}
console.log(`swapped for ${answer.dstAmount} units by ${receipt.gasUsed} gas`)
