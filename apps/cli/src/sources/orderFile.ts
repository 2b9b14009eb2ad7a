// A file of orders. Input: CSV with a header, or NDJSON with one object a line: `in`, `out` and `amount` in
// whole tokens, or `amountWei`. Output: orders. Each row is checked, and an error names its line.

import type { Order } from '@braid-swap/core'
import { z } from 'zod'
import { FileError } from '../errors.js'
import { fromCsv } from '../markets/csv.js'
import type { Terminal } from '../terminal.js'
import { readTextOrInput } from './files.js'
import { readOrder } from './order.js'
import type { ListedToken } from './tokens.js'

const text = z.string().transform((value) => (value === '' ? undefined : value))
const row = z.strictObject({
  in: z.string().min(1),
  out: z.string().min(1),
  amount: text.optional(),
  amountWei: text.optional(),
})

/** Reads the orders of a file, `-` for standard input. Throws FILE_UNREADABLE, naming the row. */
export function readOrders(
  path: string,
  tokens: readonly ListedToken[],
  { input }: Pick<Terminal, 'input'>,
): readonly Order[] {
  const rows = readRows(path, readTextOrInput(path, input, 'orders piped in'))
  if (rows.length === 0) throw new FileError(path, 'has no orders')
  return rows.map((value, i) => {
    try {
      const { in: tokenIn, out, amount, amountWei } = row.parse(value)
      return readOrder(
        {
          ...{ in: tokenIn, out },
          ...(amount !== undefined && { amount }),
          ...(amountWei !== undefined && { amountWei }),
        },
        tokens,
      )
    } catch (cause) {
      throw new FileError(path, `order ${i + 1} is not { in, out, amount or amountWei }`, cause)
    }
  })
}

function readRows(path: string, content: string): readonly unknown[] {
  try {
    if (!content.trimStart().startsWith('{')) return fromCsv(content)
    const lines = content.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => JSON.parse(line) as unknown)
  } catch (cause) {
    throw new FileError(path, 'neither CSV nor NDJSON', cause)
  }
}
