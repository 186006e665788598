import { expect, test } from 'vitest'
import { cutSecrets, readBody } from './cut-secrets.mjs'

const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'

test.each([
  [{ headers: { Authorization: 'DPoP abc', dpop: JWT } }, { headers: { Authorization: '…', dpop: '…' } }],
  [
    { body: { access_token: 'a', nested: [{ refresh_token: 'b' }] } },
    { body: { access_token: '…', nested: [{ refresh_token: '…' }] } },
  ],
  [
    { client_assertion: JWT, code: 'c', code_verifier: 'v' },
    { client_assertion: '…', code: '…', code_verifier: '…' },
  ],
  [{ proof: `${JWT}~ZGlzY2xvc3VyZQ~${JWT}` }, { proof: 'eyJ…' }],
  [
    { location: 'http://127.0.0.1/cb?code=abc&state=s&iss=x' },
    { location: 'http://127.0.0.1/cb?code=…&state=…&iss=x' },
  ],
  [
    { status: 200, amount_minor: 1_200, items: null },
    { status: 200, amount_minor: 1_200, items: null },
  ],
])('%j is logged as %j', (value, logged) => {
  expect(cutSecrets(value)).toEqual(logged)
})

test('a body is read as JSON or as a form, so that its members can be cut', () => {
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'code=abc&details=%5B1%5D' }
  expect(readBody(form)).toEqual({ code: 'abc', details: [1] })
  expect(readBody({ body: '{"code":"abc"}' })).toEqual({ code: 'abc' })
  expect(readBody({ body: 'plain' })).toBe('plain')
  expect(readBody({ body: '' })).toBeNull()
})
