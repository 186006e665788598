import { describe, expect, test } from 'vitest'
import { callerAddress } from './address'

describe('callerAddress', () => {
  test.each([
    ['without proxies the header is a mere claim', '192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['one proxy writes the last hop', '10.0.0.1', 'forged, 203.0.113.9', 1, '203.0.113.9'],
    ['two proxies: the one before the last', '10.0.0.1', 'forged, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
    ['a request that came past the proxies counts by its peer', '10.0.0.1', undefined, 1, '10.0.0.1'],
    ['fewer hops than proxies', '10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
    ['an IPv6 address counts as its network', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
    ['another one of that network', '10.0.0.1', '2001:DB8:1:2:ffff::', 1, '2001:db8:1:2::/64'],
    ['the network beside it', '10.0.0.1', '2001:db8:1:3::1', 1, '2001:db8:1:3::/64'],
    ['a network with zeros at its end', '2001:db8::1', undefined, 0, '2001:db8:0:0::/64'],
    ['a network with zeros at its beginning', '::2:3:4:5:6:7', undefined, 0, '0:0:2:3::/64'],
    ['an address of one link names its interface', 'fe80::1%eth0', undefined, 0, 'fe80:0:0:0::/64'],
    ['an IPv6 socket writes an IPv4 address so', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ])('callerAddress: %s', (_name, peer, forwardedFor, trustedProxies, expected) => {
    expect(callerAddress({ peer, forwardedFor }, trustedProxies)).toBe(expected)
  })

  test('a connection that is gone has no address', () => {
    expect(callerAddress({ peer: undefined, forwardedFor: 'x' }, 0)).toBeNull()
  })
})
