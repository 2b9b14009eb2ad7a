import { wire } from '@braid-swap/api'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { decodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { paths } from './ask.js'
import { balanceOf } from './balances.js'
import type { PlannedOrder } from './orders.js'
import { mineUntil, signAndSend } from './plainWallet.js'
import type { World } from './world.js'

/**
 * Prepares the wallet as the interface says: reads the allowance, and if it is too low, gets the
 * approval, signs and sends it. Also gives the wallet any missing tokens.
 */
export async function prepareWallet(
  world: World,
  { src: token, amount, approvesExactly }: PlannedOrder,
  faults: string[],
): Promise<void> {
  const { devnet, ask } = world
  const { wallet, router, client } = devnet
  const balance = await balanceOf(client, { token, account: wallet.address })
  // Gas comes on top of the amount of a native order.
  const needed = token === NATIVE ? amount + NATIVE_FOR_GAS : amount
  if (balance < needed) await devnet.fund(wallet.address, token, needed - balance)
  if (token === NATIVE) return
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

const NATIVE_FOR_GAS = 10n ** 18n

/** The router's allowance on the wallet's token, from the API. */
export async function readAllowance(world: World, token: Address): Promise<bigint> {
  const { body } = await world.ask(paths.allowance, {
    tokenAddress: token,
    walletAddress: world.devnet.wallet.address,
  })
  return BigInt(wire.allowanceSchema.parse(body).allowance)
}
