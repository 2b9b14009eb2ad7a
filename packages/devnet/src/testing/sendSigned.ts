import type { Address, Hex } from '@braid-swap/core'
import { privateKeyToAccount } from 'viem/accounts'
import type { Account } from '../node/accounts.js'
import type { ChainClient } from '../node/client.js'
import { BASE_FEE } from '../node/transactions.js'

/** A request for `eth_sendTransaction`, its quantities as hexadecimal text or as numbers. */
type Asked = {
  readonly to?: Address
  readonly data?: Hex
  readonly value?: Hex | bigint
  readonly gas?: Hex | bigint
  readonly gasPrice?: Hex | bigint
  readonly maxFeePerGas?: Hex | bigint
  readonly nonce?: Hex | number | undefined
}

/**
 * Sends a transaction as a wallet does, with the signature of its account. The node's own answer to
 * `eth_sendTransaction` signs nothing, because it acts for every account.
 */
export async function sendSigned(
  { client, wallet }: { readonly client: ChainClient; readonly wallet: Account },
  { to, data, value = 0n, gas = 300_000n, gasPrice = 2n * BASE_FEE, ...asked }: Asked,
): Promise<Hex> {
  const { address } = wallet
  const maxFeePerGas = BigInt(asked.maxFeePerGas ?? gasPrice)
  const nonce = asked.nonce ?? (await client.getTransactionCount({ address, blockTag: 'pending' }))
  const serializedTransaction = await privateKeyToAccount(wallet.privateKey).signTransaction({
    ...{ to, data, value: BigInt(value), gas: BigInt(gas), nonce: Number(nonce) },
    ...{
      maxFeePerGas,
      maxPriorityFeePerGas: maxFeePerGas / 10n,
      chainId: client.chain.id,
      type: 'eip1559',
    },
  })
  return client.sendRawTransaction({ serializedTransaction })
}
