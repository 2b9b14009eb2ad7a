import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { callerAt, callerOf } from './callerAddress.js'

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:0:1:a:b:c:d', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1::', '2001:db8:0:1::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
])('the caller at %s is %s', (address, caller) => {
  expect(callerOf(address)).toBe(caller)
})

/** Eight groups of an IPv6 address, written out, shortened and in capitals. */
const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
const groups = fc.array(group, { minLength: 8, maxLength: 8 })
/** Shortens as RFC 5952 does: one run of zeros as `::`. */
function shortened(numbers: readonly number[]): string {
  return new URL(`http://[${numbers.map((one) => one.toString(16)).join(':')}]`).hostname.slice(
    1,
    -1,
  )
}

it('callers of one /64 are one, those of two are two, however their addresses are written', () => {
  fc.assert(
    fc.property(groups, groups, (a, b) => {
      const written = a.map((one) => one.toString(16).padStart(4, '0').toUpperCase()).join(':')
      // An IPv4 address written as IPv6 is that IPv4 address.
      fc.pre(a.slice(0, 5).some((one) => one !== 0) && b.slice(0, 5).some((one) => one !== 0))
      expect(callerOf(shortened(a))).toBe(callerOf(written))
      const sibling = [...a.slice(0, 4), ...b.slice(4)]
      fc.pre(sibling.slice(0, 5).some((one) => one !== 0))
      expect(callerOf(shortened(sibling))).toBe(callerOf(written))
      const areSame = a.slice(0, 4).every((one, i) => one === b[i])
      expect(callerOf(shortened(b)) === callerOf(shortened(a))).toBe(areSame)
    }),
  )
})

it.each([
  ['no proxy: the header is a caller’s own', 0, '203.0.113.5', '10.9.9.9'],
  ['one proxy', 1, '10.0.0.1, 203.0.113.5', '203.0.113.5'],
  ['two proxies', 2, '198.51.100.7, 10.0.0.1', '198.51.100.7'],
  ['more proxies than entries', 3, '198.51.100.7', '10.9.9.9'],
  ['an entry that is no address', 1, 'unknown', '10.9.9.9'],
])('the caller behind %s', (_, proxies, header, caller) => {
  const headers = { 'x-forwarded-for': header }
  const request = { headers, socket: { remoteAddress: '10.9.9.9' } } as unknown as IncomingMessage
  expect(callerAt(request, proxies)).toBe(caller)
})
