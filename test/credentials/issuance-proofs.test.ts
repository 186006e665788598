/** Decisions C5, C6 and C9 at the endpoint: what a proof, a nonce and a transaction code must be, and what they cost. */
import { beforeAll, describe, expect, test } from 'vitest'
import { withApp } from '../oauth/setup'
import { handmadeJws, newKey } from '../support/actors'
import type { App } from '../support/app'
import {
  AGES,
  credentialOf,
  decodeCredential,
  errorOf,
  freshNonce,
  newOffer,
  post,
  requestOffer,
  Wallet,
} from './issuance-wallet'

let app: App
withApp(async (started) => {
  app = started
})

let wallet: Wallet
beforeAll(async () => {
  wallet = await Wallet.open(app)
})

type Members = Record<string, unknown>

/** Sends a proof that is good but for these members; a member that is undefined is left out. */
async function redeemWith({ claims = {}, header = {} }: { claims?: Members; header?: Members }) {
  const offer = await newOffer(app)
  const content = { aud: app.baseUrl, iat: wallet.now(), nonce: offer.c_nonce, ...claims }
  const head = { alg: 'EdDSA', typ: 'openid4vci-proof+jwt', jwk: wallet.key.jwk, ...header }
  const answer = await wallet.redeem(offer.code, '', {
    proof: { proof_type: 'jwt', jwt: handmadeJws(head, content, wallet.key) },
  })
  return { answer, offer }
}

describe('a proof', () => {
  test.each<[string, { claims?: () => Members; header?: Members }]>([
    ['the alg Ed25519', { header: { alg: 'Ed25519' } }],
    ['unknown members', { header: { foo: 1, key_attestation: 'x' }, claims: () => ({ foo: 1 }) }],
    ['iat of almost 300 seconds ago', { claims: () => ({ iat: wallet.now() - 295 }) }],
    ['iat in less than 60 seconds', { claims: () => ({ iat: wallet.now() + 60 }) }],
    ['exp and nbf around now', { claims: () => ({ nbf: wallet.now() - 1, exp: wallet.now() + 30 }) }],
  ])('C9 may have %s', async (_what, { claims, header }) => {
    const { answer } = await redeemWith({ claims: claims?.() ?? {}, ...(header && { header }) })
    expect(answer.status, answer.text).toBe(200)
    const { payload } = decodeCredential(credentialOf(answer))
    expect(payload['cnf']).toEqual({ jwk: wallet.key.jwk, jkt: wallet.key.jkt })
  })

  test.each<[string, { claims?: () => Members; header?: () => Members }]>([
    ['iat of more than 300 seconds ago', { claims: () => ({ iat: wallet.now() - 301 }) }],
    ['iat in more than 60 seconds', { claims: () => ({ iat: wallet.now() + 65 }) }],
    ['no iat', { claims: () => ({ iat: undefined }) }],
    ['iat as a text', { claims: () => ({ iat: String(wallet.now()) }) }],
    ['exp in the past', { claims: () => ({ exp: wallet.now() - 1 }) }],
    ['exp as a text', { claims: () => ({ exp: 'never' }) }],
    ['nbf in the future', { claims: () => ({ nbf: wallet.now() + 120 }) }],
    ['no aud', { claims: () => ({ aud: undefined }) }],
    ['aud in an array', { claims: () => ({ aud: [app.baseUrl] }) }],
    ['aud with a slash more', { claims: () => ({ aud: `${app.baseUrl}/` }) }],
    ['the aud of the endpoint', { claims: () => ({ aud: `${app.baseUrl}/oid4vci/credential` }) }],
    ['an iss', { claims: () => ({ iss: 'wallet' }) }],
    ['an iss that is null', { claims: () => ({ iss: null }) }],
    ['no nonce', { claims: () => ({ nonce: undefined }) }],
    ['a nonce in an array', { claims: () => ({ nonce: ['x'] }) }],
    ['crit', { header: () => ({ crit: ['exp'] }) }],
    ['no jwk', { header: () => ({ jwk: undefined }) }],
    ['kid in place of jwk', { header: () => ({ jwk: undefined, kid: 'did:key:x#0' }) }],
    ['x5c in place of jwk', { header: () => ({ jwk: undefined, x5c: ['AA=='] }) }],
    ['kid beside jwk', { header: () => ({ kid: 'k' }) }],
    ['x5c beside jwk', { header: () => ({ x5c: ['AA=='] }) }],
    ['a private key', { header: () => ({ jwk: { ...wallet.key.jwk, d: 'AA' } }) }],
    ['a symmetric key', { header: () => ({ jwk: { kty: 'oct', k: 'AA' } }) }],
    ['the alg none', { header: () => ({ alg: 'none' }) }],
    ['the alg HS256', { header: () => ({ alg: 'HS256' }) }],
    ['no typ', { header: () => ({ typ: undefined }) }],
    ['the typ of a DPoP proof', { header: () => ({ typ: 'dpop+jwt' }) }],
  ])('C9 must not have %s: invalid_proof, and the code stays', async (_what, { claims, header }) => {
    const { answer, offer } = await redeemWith({ claims: claims?.() ?? {}, header: header?.() ?? {} })
    expect(errorOf(answer)).toEqual([400, 'invalid_proof'])
    expect((await wallet.redeem(offer.code, offer.c_nonce)).status).toBe(200)
  })

  test("C9 a proof that names another's key is refused: invalid_proof", async () => {
    const { answer } = await redeemWith({ header: { jwk: (await newKey()).jwk } })
    expect(errorOf(answer)).toEqual([400, 'invalid_proof'])
  })

  test('C9 a proof is checked in the same way beside an access token', async () => {
    const offer = await newOffer(app)
    const { json } = await wallet.token(offer.code)
    const token = json['access_token'] ?? ''
    for (const claims of [{ iss: 'wallet' }, { aud: [app.baseUrl] }, { iat: wallet.now() - 301 }]) {
      const proofs = { jwt: [await wallet.proof(await freshNonce(app), { claims })] }
      const answer = await wallet.fetch(token, AGES.credential_configuration_id, { proofs })
      expect(errorOf(answer)).toEqual([400, 'invalid_proof'])
    }
    expect((await wallet.fetch(token, AGES.credential_configuration_id)).status).toBe(200)
  })
})

describe('a nonce', () => {
  test('C6 a nonce is used up only by a proof that is accepted', async () => {
    const offer = await newOffer(app, { ...AGES, tx_code: true })
    const nonce = await freshNonce(app)
    const wrong = offer.tx_code === '000000' ? '000001' : '000000'
    expect(errorOf(await wallet.redeem('unknown', nonce))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.redeem(offer.code, nonce))).toEqual([400, 'invalid_credential_request'])
    expect(errorOf(await wallet.redeem(offer.code, nonce, { tx_code: wrong }))).toEqual([400, 'invalid_grant'])
    const other = { tx_code: offer.tx_code, credential_configuration_id: 'service_mandate' }
    expect(errorOf(await wallet.redeem(offer.code, nonce, other))).toEqual([400, 'unknown_credential_configuration'])
    expect((await wallet.redeem(offer.code, nonce, { tx_code: offer.tx_code })).status).toBe(200)
    expect(errorOf(await wallet.redeem((await newOffer(app)).code, nonce))).toEqual([400, 'invalid_nonce'])
  })

  test('C6 a used nonce counts as a failure, and the fifth ends the code', async () => {
    const [offer, other] = [await newOffer(app), await newOffer(app)]
    expect((await wallet.redeem(other.code, other.c_nonce)).status).toBe(200)
    for (let count = 0; count < 5; count += 1) {
      expect(errorOf(await wallet.redeem(offer.code, other.c_nonce))).toEqual([400, 'invalid_nonce'])
    }
    expect(errorOf(await wallet.redeem(offer.code, offer.c_nonce))).toEqual([400, 'invalid_grant'])
  })

  test('C6 a nonce has at least 128 random bits, is not stored, and is given to any caller', async () => {
    const nonces = await Promise.all(Array.from({ length: 32 }, () => freshNonce(app)))
    expect(new Set(nonces.map((nonce) => nonce.slice(0, 21))).size).toBe(32)
    const answer = await post(`${app.baseUrl}/oid4vci/nonce`, '')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(Object.keys(answer.json)).toEqual(['c_nonce'])
  })
})

describe('a transaction code', () => {
  const wrongOf = ({ tx_code: right }: { tx_code?: string }) => (right === '000000' ? '000001' : '000000')
  const newTxOffer = async () => {
    const offer = await newOffer(app, { ...AGES, tx_code: true })
    return { offer, right: { tx_code: offer.tx_code ?? '' }, wrong: { tx_code: wrongOf(offer) } }
  }
  const grantError = [400, 'invalid_grant']

  test('C5 four wrong ones leave the offer good, and one that is missing is not counted', async () => {
    const { offer, right, wrong } = await newTxOffer()
    for (let count = 0; count < 4; count += 1)
      expect(errorOf(await wallet.token(offer.code, wrong))).toEqual(grantError)
    for (let count = 0; count < 5; count += 1) {
      expect(errorOf(await wallet.token(offer.code))).toEqual([400, 'invalid_request'])
    }
    expect((await wallet.token(offer.code, right)).status).toBe(200)
  })

  test('C5 the fifth wrong one at the token endpoint ends the offer, and its address is 404', async () => {
    const { offer, right, wrong } = await newTxOffer()
    for (let count = 0; count < 5; count += 1)
      expect(errorOf(await wallet.token(offer.code, wrong))).toEqual(grantError)
    expect(errorOf(await wallet.token(offer.code, right))).toEqual(grantError)
    expect(errorOf(await wallet.redeem(offer.code, await freshNonce(app), right))).toEqual(grantError)
    expect((await fetch(offer.credential_offer_uri)).status).toBe(404)
  })

  test('C5 the fifth wrong one at the credential endpoint ends the offer', async () => {
    const { offer, right, wrong } = await newTxOffer()
    const nonce = await freshNonce(app)
    for (let count = 0; count < 5; count += 1) {
      expect(errorOf(await wallet.redeem(offer.code, nonce, wrong))).toEqual(grantError)
    }
    expect(errorOf(await wallet.redeem(offer.code, nonce, right))).toEqual(grantError)
  })

  test.each(['12345', '1234567', 'abcdef', '１２３４５６', ' 123456', 'x'.repeat(60_000)])(
    'C5 a text of another form (%#) is a wrong one',
    async (tx_code) => {
      const { offer } = await newTxOffer()
      expect(errorOf(await wallet.redeem(offer.code, await freshNonce(app), { tx_code }))).toEqual(grantError)
    },
  )

  test.each([123456, null, '', [], {}])('C5 %j is no text: invalid_credential_request', async (tx_code) => {
    const { offer, right } = await newTxOffer()
    const answer = await wallet.redeem(offer.code, offer.c_nonce, { tx_code })
    expect(errorOf(answer)).toEqual([400, 'invalid_credential_request'])
    expect((await wallet.redeem(offer.code, offer.c_nonce, right)).status).toBe(200)
  })

  test('C5 a code that comes again without the transaction code does not end the token', async () => {
    const { offer, right } = await newTxOffer()
    const { json } = await wallet.token(offer.code, right)
    expect(errorOf(await wallet.token(offer.code))).toEqual(grantError)
    expect((await wallet.fetch(json['access_token'] ?? '', AGES.credential_configuration_id)).status).toBe(200)
  })
})

describe('an offer', () => {
  const operator = () => ({ authorization: `Bearer ${app.operatorToken}` })
  const ages = (value: unknown) => ({ ...AGES, subject: { age_equal_or_over: value } })

  test('C1 the bounds themselves are taken', async () => {
    const eight = Object.fromEntries(['1', '9', '10', '99', '100', '149', '150', '18'].map((age) => [age, true]))
    const offer = await newOffer(app, ages(eight))
    const { disclosed } = decodeCredential(credentialOf(await wallet.redeem(offer.code, offer.c_nonce)))
    expect(disclosed).toEqual(eight)
  })

  test.each<[string, unknown]>([
    ['an age with a leading zero', ages({ '018': true })],
    ['an age of 1.5', ages({ '1.5': true })],
    ['an age that is __proto__', JSON.stringify(ages({})).replace('{}', '{"__proto__":true}')],
    ['an age that is constructor', ages({ constructor: true })],
    ['ages in an array', ages([true])],
    ['an array as configuration', { ...AGES, credential_configuration_id: [AGES.credential_configuration_id] }],
    ['a configuration that is constructor', { ...AGES, credential_configuration_id: 'constructor' }],
    ['an unknown member', { ...AGES, region: 'EU' }],
    ['tx_code as a text', { ...AGES, tx_code: 'true' }],
    ['a country of three letters', { ...AGES, subject: { ...AGES.subject, country: 'DEU' } }],
    ['a currency in lower case', mandate({ currency: 'eur' })],
    ['a currency that there is not', mandate({ currency: 'EURO' })],
    ['an amount with a fraction', mandate({ currency: 'EUR', max_amount_minor: 1.5 })],
    ['an empty purpose', mandate({ purpose: '' })],
    ['a merchant with a query', mandate({ merchant_audience: 'https://shop.test/?a=b' })],
  ])('C1 %s is 422', async (_what, body) => {
    expect((await requestOffer(app, body, operator())).status).toBe(422)
  })

  test('C7 a code in a body of the token path is no name of a configuration', async () => {
    const offer = await newOffer(app)
    const { json } = await wallet.token(offer.code)
    for (const id of ['constructor', '__proto__', 'toString']) {
      const answer = await wallet.fetch(json['access_token'] ?? '', id)
      expect(errorOf(answer)).toEqual([400, 'unknown_credential_configuration'])
    }
    expect((await wallet.fetch(json['access_token'] ?? '', AGES.credential_configuration_id)).status).toBe(200)
  })
})

function mandate(more: Members): Members {
  return { credential_configuration_id: 'service_mandate', subject: { principal_id: 'p', ...more } }
}
