/** Starts the engine with the settings of its environment; a wrong one is said, and nothing starts. */
import { z } from 'zod'
import { createEngine } from './engine.js'
import { openMarket } from './market.js'

const address = z.string().regex(/^0x[a-f0-9]{40}$/, 'must be an address in lower case')
const settings = z.object({
  BRAID_API: z.url(),
  BRAID_API_KEY: z.string().min(1),
  ROUTER: address,
  EXECUTOR: address,
  SETTLEMENT: address,
  PORT: z.coerce.number().int().min(0).max(65_535).default(7_872),
  HOST: z.string().default('127.0.0.1'),
  MAX_STATE_AGE_MS: z.coerce.number().int().min(1).max(3_600_000).default(5_000),
})

const read = settings.safeParse(process.env)
if (!read.success) {
  for (const { path, message } of read.error.issues) console.error(`${path.join('.')}: ${message}`)
  process.exitCode = 2
} else {
  const { BRAID_API, BRAID_API_KEY, PORT, HOST, MAX_STATE_AGE_MS } = read.data
  const market = openMarket({
    ...{ url: BRAID_API, apiKey: BRAID_API_KEY, maxStateAgeMs: MAX_STATE_AGE_MS },
  })
  const contracts = {
    router: read.data.ROUTER as `0x${string}`,
    executor: read.data.EXECUTOR as `0x${string}`,
    settlement: read.data.SETTLEMENT as `0x${string}`,
  }
  const engine = createEngine({ market, ...contracts, log: console.log })
  engine.listen(PORT, HOST, () => console.log(`listening on ${HOST}:${PORT}`))
}
