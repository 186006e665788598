import { describe, expect, test } from 'vitest'
import { readRedirect } from './authorize.js'

const ISSUER = 'https://as.example'
const request = { redirectUri: 'http://127.0.0.1:8765/oid4ac/callback', state: 'of-this-request' }

const redirect = (change: Readonly<Record<string, string>> = {}, to = request.redirectUri) => {
  const parameters = { code: 'c0de', state: request.state, iss: ISSUER, ...change }
  return `${to}?${new URLSearchParams(parameters)}`
}

describe('the answer of an authorization request', () => {
  test('the answer to its own request, from its own server, is taken', () => {
    expect(readRedirect(redirect(), request, ISSUER)).toEqual({ kind: 'code', code: 'c0de' })
    expect(readRedirect(redirect({ code: '', error: 'access_denied' }), request, ISSUER)).toEqual({
      kind: 'error',
      error: 'access_denied',
    })
  })

  test('a decline by the person is told apart from one by a rule', () => {
    const denied = (words: string) =>
      readRedirect(redirect({ code: '', error: 'access_denied', error_description: words }), request, ISSUER)
    const answer = { kind: 'error', error: 'access_denied' }
    expect(denied('The person declined the request.')).toEqual({ ...answer, byPerson: true })
    expect(denied('Spending is frozen.')).toEqual(answer)
  })

  test.each([
    ['the state of another request', redirect({ state: 'of-another-request' }), 'another state'],
    ['no state', redirect({ state: '' }), 'another state'],
    ['the issuer of another server', redirect({ iss: 'https://mix-up.example' }), 'another issuer'],
    ['no issuer', redirect({ iss: '' }), 'another issuer'],
    ['an issuer that only begins alike', redirect({ iss: `${ISSUER}/` }), 'another issuer'],
    ['two states', `${redirect()}&state=of-this-request`, 'another state'],
    ['two codes', `${redirect()}&code=other`, 'another code'],
    ['another redirect URI', redirect({}, 'http://127.0.0.1:8765/other'), 'another redirect URI'],
    ['another port', redirect({}, 'http://127.0.0.1:8766/oid4ac/callback'), 'another redirect URI'],
  ])('an answer with %s is refused (RFC 9207)', (_name, location, words) => {
    expect(() => readRedirect(location, request, ISSUER)).toThrow(words)
  })
})
