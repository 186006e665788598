import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256Base64url } from './encoding'
import { isCodeChallenge, isCodeVerifier, verifierMatches } from './pkce'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('RFC 7636 appendix B', () => {
  test('the verifier belongs to the challenge', () => {
    expect(isCodeVerifier(VERIFIER)).toBe(true)
    expect(isCodeChallenge(CHALLENGE)).toBe(true)
    expect(verifierMatches(VERIFIER, CHALLENGE)).toBe(true)
  })

  test('another verifier does not belong to the challenge, nor does the challenge itself', () => {
    expect(verifierMatches(`${VERIFIER}a`, CHALLENGE)).toBe(false)
    expect(verifierMatches(CHALLENGE, CHALLENGE)).toBe(false)
    expect(verifierMatches(VERIFIER, 'not a challenge')).toBe(false)
  })
})

describe('a verifier', () => {
  test.each(['a'.repeat(43), 'a'.repeat(128), `${'a'.repeat(40)}-._~`])('a verifier may be %s', (text) => {
    expect(isCodeVerifier(text)).toBe(true)
  })
  test.each(['', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}+`, `${'a'.repeat(43)}\n`, `${'a'.repeat(43)}ü`])(
    'a verifier may not be %j',
    (text) => {
      expect(isCodeVerifier(text)).toBe(false)
    },
  )
})

describe('a challenge', () => {
  test('a challenge is what S256 makes of anything', () => {
    fc.assert(fc.property(fc.string(), (text) => isCodeChallenge(sha256Base64url(text))))
  })
  test.each(['', CHALLENGE.slice(1), 'a'.repeat(129), `${CHALLENGE}=`, `${CHALLENGE}+`, `${CHALLENGE}\n`])(
    'a challenge may not be %j',
    (text) => {
      expect(isCodeChallenge(text)).toBe(false)
    },
  )
})
