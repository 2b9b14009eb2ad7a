import { z } from 'zod'
import { useRead } from '../useRead.js'

const words = z.string().transform((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '))
/** The part of `/readyz` that is shown. */
const schema = z.object({
  coverage: words.nullable(),
  shares: z.array(z.object({ isRefused: z.boolean() })),
})
const EVERY_MS = 60_000

/** Which part of the known pools is served, in the API's sentence; as a warning where a venue has none. */
export function Coverage() {
  const read = useRead(
    'coverage',
    // At 503 the answer has the same form.
    async (signal) => schema.parse(await (await fetch('/readyz', { signal })).json()),
    EVERY_MS,
  )
  if (!read?.coverage) return null
  const isLoud = read.shares.some(({ isRefused }) => isRefused)
  return (
    <p class={isLoud ? 'warning' : 'fine'} data-testid="coverage">
      {read.coverage}
    </p>
  )
}
