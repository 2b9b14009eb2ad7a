import { wire } from '@braid-swap/api'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { PERMIT2, permit2Message } from '@braid-swap/core/advanced'
import { decodeFunctionData, encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anyBits } from '../../families/differential/integers.js'
import { paths } from './ask.js'
import { allowanceOf, balanceOf } from './balances.js'
import type { PlannedOrder } from './orders.js'
import { mineUntil, signAndSend } from './plainWallet.js'
import type { World } from './world.js'

/**
 * Prepares the wallet as the interface says: reads the allowance, and if it is too low, gets the
 * approval, signs and sends it. Also gives the wallet any missing tokens.
 */
export async function prepareWallet(
  world: World,
  { src: token, amount, approvesExactly, isSigned }: PlannedOrder,
  faults: string[],
): Promise<void> {
  const { devnet, ask } = world
  const { wallet, router, client } = devnet
  const balance = await balanceOf(client, { token, account: wallet.address })
  // Gas comes on top of the amount of a native order.
  const needed = token === NATIVE ? amount + NATIVE_FOR_GAS : amount
  if (balance < needed) await devnet.fund(wallet.address, token, needed - balance)
  if (token === NATIVE) return
  if (isSigned) return approvePermit2(world, token, amount)
  await world.catchUp()
  if ((await readAllowance(world, token)) >= amount) return
  const answered = await ask(paths.approve, {
    tokenAddress: token,
    amount: approvesExactly ? amount : undefined,
  })
  const approval = wire.approveTransactionSchema.parse(answered.body)
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: approval.data as Hex })
  const wanted = [router, approvesExactly ? amount : maxUint256]
  if (functionName !== 'approve' || `${args}`.toLowerCase() !== `${wanted}`) {
    faults.push(`approves ${functionName}(${args}), wanted ${wanted}`)
  }
  if (approval.to.toLowerCase() !== token) faults.push(`approval goes to ${approval.to}`)
  const receipt = await mineUntil(devnet, await signAndSend(devnet, wallet, approval))
  if (receipt.status !== 'success') faults.push(`the approval of ${token} failed`)
}

/** Approves Permit2 once for each token, as its users do. */
async function approvePermit2({ devnet }: World, token: Address, amount: bigint): Promise<void> {
  const { wallet, client } = devnet
  const spent = { token, owner: wallet.address, spender: PERMIT2 }
  if ((await allowanceOf(client, spent)) >= amount) return
  const args = [PERMIT2, maxUint256] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  const gasPrice = await client.getGasPrice()
  await mineUntil(
    devnet,
    await signAndSend(devnet, wallet, { to: token, data, value: 0n, gasPrice }),
  )
}

/** Seconds for which a signature is valid after the newest block. */
const VALID_S = 900n

/** The parameters of a swap that Permit2 pays; none for an order that an approval pays. */
export async function signOrder(
  { devnet, random }: World,
  { isSigned, src: tokenIn, amount: amountIn }: PlannedOrder,
) {
  if (!isSigned) return {}
  const { client, chainId, router, wallet } = devnet
  const deadline = (await client.getBlock()).timestamp + VALID_S
  const permit2Nonce = anyBits(random, 0, 256)
  const of = { chainId, router, nonce: permit2Nonce }
  const message = permit2Message({ tokenIn, amountIn, deadline }, of)
  const permit2 = await privateKeyToAccount(wallet.privateKey).signTypedData(message)
  return { permit2, permit2Nonce, deadline }
}

const NATIVE_FOR_GAS = 10n ** 18n

/** The router's allowance on the wallet's token, from the API. */
export async function readAllowance(world: World, token: Address): Promise<bigint> {
  const { body } = await world.ask(paths.allowance, {
    tokenAddress: token,
    walletAddress: world.devnet.wallet.address,
  })
  return BigInt(wire.allowanceSchema.parse(body).allowance)
}
