import { z } from 'zod'
import { useRead } from '../useRead.js'

const words = z.string().transform((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '))
/** The part of `/readyz` that is shown. */
const schema = z.object({
  coverage: words.nullable(),
  shares: z.array(z.object({ isRefused: z.boolean() })),
  accuracy: z
    .object({ samples: z.number(), simulablePercent: z.number(), p95Bps: z.number().nullable() })
    .nullish(),
})
const EVERY_MS = 60_000

/**
 * Which part of the known pools is served, in the API's sentence, as a warning where a venue has none; and how its
 * answers fared a block later.
 */
export function Coverage() {
  const read = useRead(
    'coverage',
    // At 503 the answer has the same form.
    async (signal) => schema.parse(await (await fetch('/readyz', { signal })).json()),
    EVERY_MS,
  )
  if (!read) return null
  const { coverage, accuracy } = read
  const isLoud = read.shares.some(({ isRefused }) => isRefused)
  return (
    <>
      {coverage && (
        <p class={isLoud ? 'warning' : 'soft fine'} data-testid="coverage">
          {coverage}
        </p>
      )}
      {accuracy && (
        <p class="soft fine" data-testid="accuracy">
          {accuracy.simulablePercent} % of {accuracy.samples} sampled answers could be performed a
          block later; 95 % of them paid at most {accuracy.p95Bps ?? 0} bps less than quoted.
        </p>
      )}
    </>
  )
}
