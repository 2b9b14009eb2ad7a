import type { Address, Order, Pool, Snapshot } from '@braid-swap/core'
import { isBurnAddress, PERMIT2, receiverFault } from '@braid-swap/core/advanced'
import { calledContract } from '@braid-swap/core/families'
import { refusal } from '../errors.js'
import type { Need } from '../need.js'
import type { Warning } from '../wire/responses.js'

/** Who receives the output: `receiver` if given, otherwise the sender `from` if given. */
type Paid = { readonly receiver?: Address | undefined; readonly from?: Address | undefined }

/** Throws RECEIVER_REFUSED for a receiver that would lose the output of the swap. */
export function requireReceiver(
  { config, routerCode }: Need,
  order: Pick<Order, 'tokenIn' | 'tokenOut'>,
  paid: Paid,
): void {
  const receiver = paid.receiver ?? paid.from
  if (receiver === undefined) return
  const { router, wrappedNative, chain } = config
  const executors = routerCode.executors().map(({ address }) => address)
  const { tokenIn, tokenOut } = order
  const { systemAddresses } = chain
  const where = { wrappedNative, router, executors, systemAddresses }
  const reason = receiverFault(receiver, { tokenIn, tokenOut, ...where })
  if (reason === undefined) return
  const at = { path: paid.receiver ? 'receiver' : 'from', code: 'RECEIVER_REFUSED' } as const
  const rule = { message: `must be another address: ${reason}`, received: receiver }
  const expected = 'an address that can use the output'
  const message = 'the receiver would lose the output of the swap'
  throw refusal({ ...at, ...rule, expected }, { message })
}

/** Precompiles of the EVM and of chains are below this address. */
const ABOVE_PRECOMPILES = 0x10000n

/** A warning if the receiver is a burn address, or a contract that has no use for the output. */
export function receiverWarnings(
  { receiver, from }: Paid,
  { pools }: Snapshot,
  { client, config }: Pick<Need, 'client' | 'config'>,
): readonly Warning[] {
  const paid = receiver ?? from
  if (paid === undefined) return []
  if (isBurnAddress(paid)) {
    const message = 'the receiver is a burn address: nobody can use the output'
    return [{ code: 'RECEIVER_BURNS', message }]
  }
  const isPool = (pool: Pool) => pool.id === paid || calledContract(pool) === paid
  const kinds: readonly (readonly [string, boolean])[] = [
    ['a precompile', BigInt(paid) < ABOVE_PRECOMPILES],
    ['Permit2', paid === PERMIT2],
    ['Multicall3', paid === client.chain.contracts?.multicall3?.address.toLowerCase()],
    ['the factory of a venue', config.factories?.has(paid) ?? false],
    ['a pool of the market', pools.some(isPool)],
  ]
  const found = kinds.find(([, is]) => is)
  if (!found) return []
  const message = `the receiver is ${found[0]}: the output is lost, or the next caller takes it`
  return [{ code: 'RECEIVER_IS_CONTRACT', message }]
}
