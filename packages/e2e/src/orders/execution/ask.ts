import { checkAnswer } from '@braid-swap/api/testing'

/** A response of the API over HTTP. */
export type Answered = {
  readonly status: number
  readonly body: unknown
  readonly header: (name: string) => string | null
}

/** Requests a path of the API with these parameters; undefined ones are not sent. */
export type Ask = (
  path: string,
  params?: Readonly<Record<string, string | bigint | number | boolean | undefined>>,
) => Promise<Answered>

/** A path of {@link paths} on a chain. */
function pathOn(chainId: number, path: string): string {
  return path.replace('/999/', `/${chainId}/`)
}

/** A user of the API of a chain at `url` with a key; throws if a response does not match the OpenAPI document. */
export function createAsk(url: string, apikey: string, chainId: number): Ask {
  // The API closes a connection that idles, which a request on it cannot see where the same process has
  // mined or solved for longer: each request has a connection of its own.
  const headers = { apikey, connection: 'close' }
  return async (path, params = {}) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) query.set(name, `${value}`)
    }
    const response = await fetch(`${url}${pathOn(chainId, path)}?${query}`, { headers })
    const { status } = response
    const body: unknown = await response.json()
    const faults = checkAnswer({ path, status, body })
    if (faults.length > 0) throw new Error(`not as the OpenAPI document says: ${faults.join('; ')}`)
    return { status, body, header: (name) => response.headers.get(name) }
  }
}

/** The paths of the endpoints, as in the interface; {@link Ask} names its own chain in them. */
export const paths = {
  quote: '/swap/v1/999/quote',
  swap: '/swap/v1/999/swap',
  approve: '/swap/v1/999/approve/transaction',
  allowance: '/swap/v1/999/approve/allowance',
  dexCompare: '/swap/v1/999/dex-compare',
} as const
