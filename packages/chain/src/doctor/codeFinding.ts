import type { Address } from '@braid-swap/core'
import type { Finding } from '../pools/check.js'
import type { Client } from '../transport/client.js'

/** Whether there is a contract at an address. */
export async function codeFinding(
  client: Client,
  address: Address,
  { subject, check }: Pick<Finding, 'subject' | 'check'>,
): Promise<Finding> {
  const code = (await client.getCode({ address })) ?? '0x'
  const bytes = (code.length - 2) / 2
  return {
    ...{ subject, check: `${check} ${address}`, assumed: 'a contract' },
    found: bytes === 0 ? 'no code' : `${bytes} bytes of code`,
    holds: bytes > 0,
  }
}
