import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeOf } from './test-support'
import { isAllowedRedirectUri, normaliseHtu, redirectUriMatches } from './uri'

describe('RFC 3986 section 6.2.2 and 6.2.3: one URI, one spelling', () => {
  test.each([
    ['HTTPS://EXAMPLE.com/Path', 'https://example.com/Path'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:0443/', 'https://example.com/'],
    ['https://example.com:/', 'https://example.com/'],
    ['https://example.com:80/', 'https://example.com:80/'],
    ['http://example.com:80/', 'http://example.com/'],
    ['https://a.example/a/./b/../c', 'https://a.example/a/c'],
    ['https://a.example/../../a', 'https://a.example/a'],
    ['https://a.example/a/..', 'https://a.example/'],
    ['https://a.example/a/b/.', 'https://a.example/a/b/'],
    ['https://a.example/a/%2e%2E/b', 'https://a.example/b'],
    ['https://a.example/%7euser/%72', 'https://a.example/~user/r'],
    ['https://a.example/%2fa%c3%bc', 'https://a.example/%2Fa%C3%BC'],
    ['https://a.example/wallet/policy/https%253a%252F', 'https://a.example/wallet/policy/https%253a%252F'],
    ['https://a.example//a//', 'https://a.example//a//'],
    ['http://[::1]:3000/a', 'http://[::1]:3000/a'],
    ['http://[2001:DB8::A]/', 'http://[2001:db8::a]/'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
  ])('the normal form of %s', (uri, normal) => {
    expect(normaliseHtu(uri)).toBe(normal)
  })

  test.each([
    '',
    '/path',
    'example.com/path',
    '//example.com/path',
    'https:/example.com',
    'https://',
    'https:///path',
    'ftp://example.com/',
    'urn:a:b',
    'javascript:alert(1)',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com:65536/',
    'https://example.com:a/',
    'https://exa mple.com/',
    ' https://example.com/',
    'https://example.com/\n',
    'https://example.com/%',
    'https://example.com/%zz',
    'https://example.com\\@evil.example/',
    'https://bücher.example/',
    'https://[::1/',
    'https://::1/',
    'https://a.example/<b>',
    `https://a.example/${'a'.repeat(2_048)}`,
  ])('a URI %j is refused', (uri) => {
    expect(codeOf(() => normaliseHtu(uri))).toBe('malformed')
  })

  test('normalising a URI again changes nothing', () => {
    const path = fc.array(fc.constantFrom('a', 'B', '.', '..', '', '%2e', '%2F', '%7e', '~', '%41'), { maxLength: 8 })
    fc.assert(
      fc.property(path, fc.constantFrom('', ':443', ':80', ':8080'), (segments, port) => {
        const normal = normaliseHtu(`https://Host.Example${port}/${segments.join('/')}`)
        expect(normaliseHtu(normal)).toBe(normal)
        expect(normal).not.toMatch(/\/\.\.?(\/|$)/)
      }),
    )
  })

  test('htu is compared without query and fragment', () => {
    expect(normaliseHtu('https://a.example/p?q#f')).toBe('https://a.example/p')
    expect(normaliseHtu('https://a.example?q')).toBe('https://a.example/')
  })
})

describe('a redirect URI may be registered', () => {
  test.each([
    'https://agent.example/callback',
    'https://agent.example/callback?x=1',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8080/callback',
    'http://[::1]:8080/callback',
    'http://localhost:3333/cb',
    'http://localhost',
  ])('a redirect URI may be registered when it is %s', (uri) => {
    expect(isAllowedRedirectUri(uri)).toBe(true)
  })

  test.each([
    'http://agent.example/callback',
    'http://127.0.0.2/callback',
    'http://127.0.0.1.example/callback',
    'http://localhost.example/callback',
    'http://localhost@evil.example/callback',
    'http://LOCALHOST/callback',
    'https://agent.example/callback#',
    'https://agent.example/callback#f',
    'https://*.agent.example/callback',
    'https://agent.example/*',
    'https://user@agent.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example.app:/callback',
    '/callback',
    '',
  ])('a redirect URI may not be registered when it is %j', (uri) => {
    expect(isAllowedRedirectUri(uri)).toBe(false)
  })
})

describe('a requested redirect URI is the registered one', () => {
  test.each([
    ['https://agent.example/cb', 'https://agent.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'],
    ['http://127.0.0.1:80/cb?x=1', 'http://127.0.0.1:49152/cb?x=1'],
    ['http://[::1]:1/cb', 'http://[::1]/cb'],
    ['http://localhost:3000/cb', 'http://localhost:4000/cb'],
  ])('the redirect URI %s matches %s', (registered, requested) => {
    expect(redirectUriMatches(registered, requested)).toBe(true)
  })

  test.each([
    ['https://agent.example/cb', 'https://agent.example/cb/'],
    ['https://agent.example/cb', 'https://agent.example:443/cb'],
    ['https://agent.example/cb', 'https://agent.example./cb'],
    ['https://agent.example/cb', 'https://agent.example/CB'],
    ['https://agent.example/cb', 'https://agent.example/cb?x=1'],
    ['https://agent.example:8443/cb', 'https://agent.example:9443/cb'],
    ['http://127.0.0.1/cb', 'http://localhost/cb'],
    ['http://127.0.0.1/cb', 'http://[::1]/cb'],
    ['http://127.0.0.1/cb', 'https://127.0.0.1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1/other'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb'],
    ['http://127.0.0.1/cb', 'http://user@127.0.0.1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:80@evil.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1./cb'],
  ])('the redirect URI %s does not match %s', (registered, requested) => {
    expect(redirectUriMatches(registered, requested)).toBe(false)
  })
})
