import type { IncomingMessage } from 'node:http'
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
