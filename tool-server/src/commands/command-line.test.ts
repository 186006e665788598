import { describe, expect, test } from 'vitest'
import { UsageError } from '../errors.js'
import { DEFAULT_REDIRECT_URI, parseCommandLine } from './command-line.js'

describe('register', () => {
  test('accepts its four options', () => {
    const args = ['--setup-token', 't', '--as-url', 'https://as.example', '--redirect-uri', 'https://me.example/cb']
    expect(parseCommandLine(['register', ...args, '--client-name', 'Shopper'])).toEqual({
      name: 'register',
      options: {
        setupToken: 't',
        asUrl: 'https://as.example',
        redirectUri: 'https://me.example/cb',
        clientName: 'Shopper',
      },
    })
  })

  test('the redirect URI defaults to 127.0.0.1:8765', () => {
    expect(DEFAULT_REDIRECT_URI).toMatch(/:8765\/oid4ac\/callback$/)
    expect(parseCommandLine(['register', '--setup-token=t'])).toMatchObject({
      options: { redirectUri: DEFAULT_REDIRECT_URI, asUrl: undefined, clientName: undefined },
    })
  })
})

test.each(['-t', '--t', '--setup-tokens', '-h'])('a setup token may look like an option: %s', (setupToken) => {
  const args = ['register', '--setup-token', setupToken, '--client-name', '-Shopper-']
  expect(parseCommandLine(args)).toMatchObject({ options: { setupToken, clientName: '-Shopper-' } })
})

test('C44 a hyphen stands for stdin', () => {
  expect(parseCommandLine(['register', '--setup-token', '-'])).toMatchObject({ options: { setupToken: '-' } })
})

test('serve takes no options', () => {
  expect(parseCommandLine(['serve'])).toEqual({ name: 'serve' })
})

test.each([
  [[]],
  [['pay']],
  [['serve', '--port', '1']],
  [['serve', 'now']],
  [['register']],
  [['register', '--setup-token']],
  [['register', '--setup-token', '']],
  [['register', '--setup-token', '--client-name', 'Shopper']],
  [['register', '--setup-token', 't', '--as-url', 'nonsense']],
  [['register', '--setup-token', 't', '--scope', 's']],
  [['register', '--setup-token', 't', '--setup-token', 't']],
  [['register', '--setup-token', 't', '--as-url=https://a.example', '--as-url', 'https://b.example']],
  [['register', '--setup-token', 't', '--as-url', 'http://as.example']],
  [['register', '--setup-token', 't', '--as-url', 'https://as.example/#x']],
  [['register', '--setup-token', 't', '--as-url', 'https://u:p@as.example']],
])('C43 C45 %j is a usage error', (args) => {
  expect(() => parseCommandLine(args)).toThrow(UsageError)
})
