import { checkAnswer } from '@braid-swap/api/testing'

/** What the API answered over HTTP. */
export type Answered = {
  readonly status: number
  readonly body: unknown
  /** As it came, for what must never be in it. */
  readonly text: string
  readonly header: (name: string) => string | null
}

/** Asks the API for a path with these parameters; those undefined are not sent. */
export type Ask = (
  path: string,
  params?: Readonly<Record<string, string | bigint | number | boolean | undefined>>,
) => Promise<Answered>

/** A user of the API at `url` who presents a key; throws for an answer that the document does not allow. */
export function createAsk(url: string, apikey: string): Ask {
  return async (path, params = {}) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) query.set(name, `${value}`)
    }
    const response = await fetch(`${url}${path}?${query}`, { headers: { apikey } })
    const text = await response.text()
    const { status } = response
    const body = JSON.parse(text)
    const faults = checkAnswer({ path, status, body })
    if (faults.length > 0) throw new Error(`not as the OpenAPI document says: ${faults.join('; ')}`)
    return {
      ...{ status, body },
      text,
      header: (name) => response.headers.get(name),
    }
  }
}

/** The endpoints, as the interface names them. */
export const paths = {
  quote: '/swap/v1/999/quote',
  swap: '/swap/v1/999/swap',
  approve: '/swap/v1/999/approve/transaction',
  allowance: '/swap/v1/999/approve/allowance',
  dexCompare: '/swap/v1/999/dex-compare',
  token: (address: string) => `/999/tokens/${address}`,
} as const
