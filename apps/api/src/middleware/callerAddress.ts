/**
 * Groups callers without a key of their own by where they connect from. An IPv6 network gives each of its hosts
 * 2^64 addresses, so one /64 is one caller (RFC 6177, 2).
 */
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/** The IPv4 address, or the /64 of an IPv6 address, such as `2001:db8:0:1::/64`. */
export function callerOf(remoteAddress: string | undefined): string {
  const address = remoteAddress?.replace(/%.*$/, '') ?? 'unknown'
  const mapped = MAPPED_IPV4.exec(address)
  if (mapped) return mapped[1]!
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/**
 * The caller of a request, as {@link callerOf}. Behind `proxies` proxies of the operator it is the
 * address that the outermost one of them appended to X-Forwarded-For. What callers write into the
 * header themselves is not read.
 */
export function callerAt({ headers, socket }: IncomingMessage, proxies: number): string {
  const reported = `${headers['x-forwarded-for'] ?? ''}`.split(',').at(-proxies)?.trim() ?? ''
  return callerOf(proxies > 0 && isIP(reported) !== 0 ? reported : socket.remoteAddress)
}
