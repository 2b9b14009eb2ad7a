import type { Address, Hex } from '@braid-swap/core'
import type { Account, Devnet } from '@braid-swap/devnet'
import { decodeAbiParameters, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The fields of a transaction that a wallet needs. */
export type PlainTx = {
  readonly to: string
  readonly data: string
  readonly value: string | bigint
  readonly gasPrice: string | bigint
  /** If absent, the wallet gets it from the node. */
  readonly gas?: string | bigint
}

/** Signs and sends a transaction like any wallet, without knowledge of this service. */
export async function signAndSend(
  { client, chainId }: Pick<Devnet, 'client' | 'chainId'>,
  owner: Account,
  tx: PlainTx,
): Promise<Hex> {
  const account = privateKeyToAccount(owner.privateKey)
  const { address } = account
  const call = { to: tx.to as Address, data: tx.data as Hex, value: BigInt(tx.value) }
  const [nonce, gas] = await Promise.all([
    client.getTransactionCount({ address }),
    tx.gas === undefined ? client.estimateGas({ account: address, ...call }) : BigInt(tx.gas),
  ])
  const serializedTransaction = await account.signTransaction({
    ...{ ...call, chainId, nonce, gas, gasPrice: BigInt(tx.gasPrice), type: 'legacy' },
  })
  return client.sendRawTransaction({ serializedTransaction })
}

const MAX_BLOCKS = 4

/** Mines until the transaction is in a block; fails if it is not in one of the next few blocks. */
export async function mineUntil(
  { client, mine }: Pick<Devnet, 'client' | 'mine'>,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
    await mine()
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt) return receipt
  }
  throw new Error(`${MAX_BLOCKS} blocks did not take ${hash}`)
}

/** The transaction in `encodedTx`: one ABI tuple. */
export function decodeEncodedTx(encodedTx: string) {
  const [tx] = decodeAbiParameters(
    [
      {
        type: 'tuple',
        components: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'data', type: 'bytes' },
          { name: 'value', type: 'uint256' },
          { name: 'gasPrice', type: 'uint256' },
          { name: 'gas', type: 'uint256' },
        ],
      },
    ],
    encodedTx as Hex,
  )
  return tx
}
