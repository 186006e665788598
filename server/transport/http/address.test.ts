import { describe, expect, test } from 'vitest'
import { callerAddress } from './address'

describe('callerAddress', () => {
  test.each([
    ['without proxies the header is a mere claim', '192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['one proxy writes the last hop', '10.0.0.1', 'forged, 203.0.113.9', 1, '203.0.113.9'],
    ['two proxies: the one before the last', '10.0.0.1', 'forged, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
    ['a request that came past the proxies counts by its peer', '10.0.0.1', undefined, 1, '10.0.0.1'],
    ['fewer hops than proxies', '10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
  ])('callerAddress: %s', (_name, peer, forwardedFor, trustedProxies, expected) => {
    expect(callerAddress({ peer, forwardedFor }, trustedProxies)).toBe(expected)
  })

  test('a connection that is gone has no address', () => {
    expect(callerAddress({ peer: undefined, forwardedFor: 'x' }, 0)).toBeNull()
  })
})
