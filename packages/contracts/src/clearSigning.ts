import {
  type AbiFunction,
  type AbiParameter,
  type Address,
  getAddress,
  toFunctionSignature,
} from 'viem'
import { routerAbi } from './generated/router.js'

/** A deployment of the router. */
export type RouterAt = { readonly chainId: number; readonly address: Address }

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const native = { nativeCurrencyAddress: ['$.metadata.constants.native'] }

/** The fields of an order that a wallet shows, in display order. */
const FIELDS = [
  {
    path: 'order.amountIn',
    label: 'Pay exactly',
    format: 'tokenAmount',
    params: { tokenPath: 'order.tokenIn', ...native },
  },
  {
    path: 'order.minAmountOut',
    label: 'Receive at least',
    format: 'tokenAmount',
    params: { tokenPath: 'order.tokenOut', ...native },
  },
  // The schema has no format for "you", so the zero address is shown as it is.
  {
    path: 'order.receiver',
    label: 'Receiver (zero is you)',
    format: 'addressName',
    params: { types: ['wallet', 'eoa', 'contract'], sources: ['local', 'ens'] },
  },
  {
    path: 'order.deadline',
    label: 'Valid until',
    format: 'date',
    params: { encoding: 'timestamp' },
  },
  contractField('order.executor', 'Performed by'),
  contractField('order.payee', 'Paid to'),
] as const

/** A contract, whose name a wallet may know. */
function contractField<Path extends string>(path: Path, label: string) {
  const params = { types: ['contract'], sources: ['local', 'ens'] } as const
  return { path, label, format: 'addressName', params } as const
}

/** The way of authorizing the router, by the name of its entry function. */
const INTENTS: ReadonlyMap<string, string> = new Map([
  ['swap', 'Swap'],
  ['swapWithPermit', 'Swap, paid by a permit'],
  ['swapWithPermit2', 'Swap, paid by Permit2'],
])

/**
 * The router's ERC-7730 descriptor (version 1 of the schema). With it a hardware wallet shows a
 * swap in words, so that the user need not trust the builder of the transaction. The program is left
 * out, because no program and no executor make the router take more or pay less than shown.
 */
export function clearSigningDescriptor(routers: readonly RouterAt[]) {
  const entries = routerAbi.filter(
    (item): item is (typeof routerAbi)[number] & AbiFunction =>
      item.type === 'function' && item.stateMutability !== 'view',
  )
  return {
    $schema: 'https://eips.ethereum.org/assets/eip-7730/erc7730-v1.schema.json',
    context: {
      $id: 'Braid router',
      contract: {
        abi: entries,
        deployments: routers.map(({ chainId, address }) => ({
          chainId,
          address: getAddress(address),
        })),
      },
    },
    metadata: { owner: 'Braid', constants: { native: NATIVE } },
    display: {
      formats: Object.fromEntries(entries.map((entry) => [nameOf(entry), formatOf(entry)])),
    },
  }
}

/** The function's signature with the names of its arguments, which paths refer to. */
function nameOf({ name, inputs }: AbiFunction): string {
  return `${name}${textOf(inputs)}`
}

function textOf(inputs: readonly AbiParameter[]): string {
  const texts = inputs.map((input) => {
    const type = 'components' in input ? textOf(input.components) : input.type
    return `${type} ${input.name}`
  })
  return `(${texts.join(', ')})`
}

/** The paths of all arguments, those of a struct's members after its own name. */
function pathsOf(inputs: readonly AbiParameter[], before = ''): readonly string[] {
  return inputs.flatMap((input) =>
    'components' in input
      ? pathsOf(input.components, `${before}${input.name}.`)
      : [`${before}${input.name}`],
  )
}

function formatOf(entry: AbiFunction) {
  const intent = INTENTS.get(entry.name)
  if (intent === undefined) throw new RangeError(`no words for ${toFunctionSignature(entry)}`)
  const tokens = ['order.tokenIn', 'order.tokenOut']
  const shown = new Set<string>([...tokens, ...FIELDS.map(({ path }) => path)])
  return {
    $id: entry.name,
    intent,
    fields: FIELDS,
    required: FIELDS.map(({ path }) => path),
    excluded: pathsOf(entry.inputs).filter((path) => !shown.has(path)),
  }
}
