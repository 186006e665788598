/** Decisions C1 to C12: credentials for wallets, as a wallet and its issuer see them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { withApp } from '../oauth/setup'
import {
  countStatuses,
  exchange,
  must,
  newKey,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
} from '../support/actors'
import type { App } from '../support/app'
import {
  AGES,
  asClient,
  codeOf,
  credentialOf,
  decodeCredential,
  errorOf,
  freshNonce,
  GRANT,
  newOffer,
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

const operator = () => ({ authorization: `Bearer ${app.operatorToken}` })

const locOf = (answer: { json: unknown }) => (answer.json as { detail?: { loc: unknown[] }[] }).detail?.[0]?.loc

describe('an offer', () => {
  test('C4 the answer has its members and is not stored', async () => {
    const answer = await requestOffer(app, AGES, operator())
    const offer = must(answer, 200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(offer).toEqual({
      credential_offer: {
        credential_issuer: app.baseUrl,
        credential_configuration_ids: ['service_age_verified_buyer'],
        grants: { [GRANT]: { 'pre-authorized_code': expect.stringMatching(/^[\w-]{43}$/) } },
      },
      c_nonce: expect.any(String),
      credential_offer_uri: expect.stringMatching(`^${app.baseUrl}/oid4vci/credential-offer/[\\w-]{43}$`),
      deep_link: `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer.credential_offer))}`,
      qr_payload: offer.deep_link,
      expires_in: 600,
    })
  })

  test('C4 its address gives the same object until it is redeemed or expires, and 404 for any other', async () => {
    const offer = await newOffer(app)
    const read = await exchange(offer.credential_offer_uri)
    expect([read.status, read.headers.get('cache-control'), read.json]).toEqual([
      200,
      'no-store',
      offer.credential_offer,
    ])
    expect((await exchange(`${app.baseUrl}/oid4vci/credential-offer/unknown`)).status).toBe(404)
    must(await wallet.redeem(offer.code, offer.c_nonce), 200)
    expect((await exchange(offer.credential_offer_uri)).status).toBe(404)
    const late = await newOffer(app)
    app.clock.advance({ seconds: 601 })
    expect((await exchange(late.credential_offer_uri)).status).toBe(404)
    expect(errorOf(await wallet.redeem(late.code, await freshNonce(app)))).toEqual([400, 'invalid_grant'])
  })

  test('A3 an open sandbox takes anybody, and a credential that is sent is checked', async () => {
    expect((await requestOffer(app, AGES)).status).toBe(200)
    expect(errorOf(await requestOffer(app, AGES, { authorization: 'Bearer wrong' }))).toEqual([401, 'invalid_client'])
  })

  test.each([
    ['an unknown configuration', { ...AGES, credential_configuration_id: '__proto__' }, 'credential_configuration_id'],
    ['no subject', { credential_configuration_id: 'service_age_verified_buyer' }, 'subject'],
    ['an unknown member of the subject', { ...AGES, subject: { ...AGES.subject, email: 'a@b.test' } }, 'email'],
    ['no ages', { ...AGES, subject: { age_equal_or_over: {} } }, 'age_equal_or_over'],
    ['age 0', { ...AGES, subject: { age_equal_or_over: { 0: true } } }, 'age_equal_or_over'],
    ['age 151', { ...AGES, subject: { age_equal_or_over: { 151: true } } }, 'age_equal_or_over'],
    [
      'nine ages',
      {
        ...AGES,
        subject: { age_equal_or_over: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i + 1, true])) },
      },
      'age_equal_or_over',
    ],
    ['an age that is no boolean', { ...AGES, subject: { age_equal_or_over: { 18: 'yes' } } }, 'age_equal_or_over'],
    ['a country in lower case', { ...AGES, subject: { ...AGES.subject, country: 'de' } }, 'country'],
    ['a mandate about nobody', { credential_configuration_id: 'service_mandate', subject: {} }, 'principal_id'],
    [
      'an amount without a currency',
      { credential_configuration_id: 'service_mandate', subject: { principal_id: 'p', max_amount_minor: 1 } },
      'currency',
    ],
    [
      'an amount of 0',
      {
        credential_configuration_id: 'service_mandate',
        subject: { principal_id: 'p', currency: 'EUR', max_amount_minor: 0 },
      },
      'max_amount_minor',
    ],
    [
      'a merchant that is no URL',
      { credential_configuration_id: 'service_mandate', subject: { principal_id: 'p', merchant_audience: 'shop' } },
      'merchant_audience',
    ],
    [
      'a purpose of 201 characters',
      { credential_configuration_id: 'service_mandate', subject: { principal_id: 'p', purpose: 'x'.repeat(201) } },
      'purpose',
    ],
  ])('C1 %s is 422', async (_what, body, place) => {
    const answer = await requestOffer(app, body, operator())
    expect([answer.status, locOf(answer)]).toEqual([422, expect.arrayContaining(['body', place])])
  })

  test('C1, C12 the principal must be an active one of the caller’s tenant', async () => {
    const [client, other] = await Promise.all([newWalletClient(app), newWalletClient(app)])
    const { principalId } = await newPrincipal(app, { wallet_client_id: client.clientId })
    const body = { credential_configuration_id: 'service_mandate', subject: { principal_id: principalId } }
    expect((await requestOffer(app, body, await asClient(app, client))).status).toBe(200)
    expect((await requestOffer(app, body, operator())).status).toBe(200)
    expect(errorOf(await requestOffer(app, body, await asClient(app, other)))).toEqual([404, 'not_found'])
    const unknown = { ...body, subject: { principal_id: 'nobody' } }
    expect(errorOf(await requestOffer(app, unknown, operator()))).toEqual([404, 'not_found'])
    const person = await Person.signIn(app, principalId, 'privacy:dsar')
    must(await person.call('POST', '/privacy/dsar/restriction'), 200)
    expect(errorOf(await requestOffer(app, body, await asClient(app, client)))).toEqual([404, 'not_found'])
    const { principalId: erasedId } = await newPrincipal(app)
    must(await (await Person.signIn(app, erasedId, 'privacy:dsar')).call('POST', '/privacy/dsar/erasure'), 200)
    const erased = { ...body, subject: { principal_id: erasedId } }
    expect(errorOf(await requestOffer(app, erased, operator()))).toEqual([404, 'not_found'])
  })
})

describe('the code of an offer', () => {
  test('C8 gives one credential, bound to the key of the proof, and is consumed then', async () => {
    const offer = await newOffer(app)
    const answer = await wallet.redeem(offer.code, offer.c_nonce)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(Object.keys(answer.json)).toEqual(['credentials'])
    const { payload } = decodeCredential(credentialOf(answer))
    expect(payload['cnf']).toEqual({ jwk: wallet.key.jwk, jkt: wallet.key.jkt })
    expect(errorOf(await wallet.redeem(offer.code, await freshNonce(app)))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.redeem('unknown', await freshNonce(app)))).toEqual([400, 'invalid_grant'])
  })

  test('C7 takes proofs in place of proof, and the configuration of the offer', async () => {
    const offer = await newOffer(app)
    const more = { proof: undefined, proofs: { jwt: [await wallet.proof(offer.c_nonce)] } }
    const other = { ...more, credential_configuration_id: 'service_mandate' }
    expect(errorOf(await wallet.redeem(offer.code, '', other))).toEqual([400, 'unknown_credential_configuration'])
    const named = { ...more, credential_configuration_id: 'service_age_verified_buyer' }
    expect((await wallet.redeem(offer.code, '', named)).status).toBe(200)
  })

  test('C10 sixteen requests at once get one credential', async () => {
    const offer = await newOffer(app)
    const nonces = await Promise.all(Array.from({ length: 16 }, () => freshNonce(app)))
    const answers = await Promise.all(nonces.map((nonce) => wallet.redeem(offer.code, nonce)))
    expect(countStatuses(answers)).toEqual({ 200: 1, 400: 15 })
    expect(answers.filter(({ status }) => status === 400).map(({ json }) => json['error'])).toEqual(
      Array(15).fill('invalid_grant'),
    )
  })

  test('C6 a nonce is taken once, also from sixteen codes at once', async () => {
    const nonce = await freshNonce(app)
    const offers = await Promise.all(Array.from({ length: 16 }, () => newOffer(app)))
    const answers = await Promise.all(offers.map(({ code }) => wallet.redeem(code, nonce)))
    expect(countStatuses(answers)).toEqual({ 200: 1, 400: 15 })
    expect(answers.filter(({ status }) => status === 400).map(({ json }) => json['error'])).toEqual(
      Array(15).fill('invalid_nonce'),
    )
    const lost = offers.filter((_, index) => answers[index]?.status === 400)
    const again = await wallet.redeem(lost[0]?.code ?? '', await freshNonce(app))
    expect(again.status, 'a used nonce costs no code').toBe(200)
  })

  test('C6 a nonce lives 300 seconds, and one of another server is none', async () => {
    const offer = await newOffer(app)
    const nonce = await freshNonce(app)
    app.clock.advance({ seconds: 301 })
    expect(errorOf(await wallet.redeem(offer.code, nonce))).toEqual([400, 'invalid_nonce'])
    expect(errorOf(await wallet.redeem(offer.code, 'made-up'))).toEqual([400, 'invalid_nonce'])
    expect((await wallet.redeem(offer.code, await freshNonce(app))).status).toBe(200)
  })

  test('C6 ends with the fifth failure, which still answers its own error', async () => {
    const offer = await newOffer(app)
    const nonce = await freshNonce(app)
    for (const claims of [{ aud: 'https://other.test' }, { iss: 'me' }, { iat: 1 }, { nonce: undefined }]) {
      const proof = { proof_type: 'jwt', jwt: await wallet.proof(nonce, { claims }) }
      expect(errorOf(await wallet.redeem(offer.code, '', { proof }))).toEqual([400, 'invalid_proof'])
    }
    expect(errorOf(await wallet.redeem(offer.code, 'made-up'))).toEqual([400, 'invalid_nonce'])
    expect(errorOf(await wallet.redeem(offer.code, nonce))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.redeem(offer.code, 'made-up'))).toEqual([400, 'invalid_grant'])
  })

  test('C6 four failures leave it good', async () => {
    const offer = await newOffer(app)
    const answers = await Promise.all(Array.from({ length: 4 }, () => wallet.redeem(offer.code, 'made-up')))
    expect(answers.map(({ json }) => json['error'])).toEqual(Array(4).fill('invalid_nonce'))
    expect((await wallet.redeem(offer.code, offer.c_nonce)).status).toBe(200)
  })
})

describe('a transaction code', () => {
  const withTxCode = { ...AGES, tx_code: true }

  test('C5 has six digits and is announced in the grant', async () => {
    const offer = await newOffer(app, withTxCode)
    expect(offer.tx_code).toMatch(/^\d{6}$/)
    expect(offer.credential_offer.grants[GRANT].tx_code).toEqual({ input_mode: 'numeric', length: 6 })
    expect((await exchange(offer.credential_offer_uri)).json).toEqual(offer.credential_offer)
    expect((await wallet.redeem(offer.code, offer.c_nonce, { tx_code: offer.tx_code })).status).toBe(200)
  })

  test('C5 is required where it was asked for, and refused where it was not', async () => {
    const [asked, plain] = [await newOffer(app, withTxCode), await newOffer(app)]
    const nonce = await freshNonce(app)
    expect(errorOf(await wallet.redeem(asked.code, nonce))).toEqual([400, 'invalid_credential_request'])
    expect(errorOf(await wallet.redeem(plain.code, nonce, { tx_code: '123456' }))).toEqual([
      400,
      'invalid_credential_request',
    ])
    expect(errorOf(await wallet.token(asked.code))).toEqual([400, 'invalid_request'])
    expect(errorOf(await wallet.token(plain.code, { tx_code: '123456' }))).toEqual([400, 'invalid_request'])
    expect((await wallet.token(asked.code, { tx_code: asked.tx_code ?? '' })).status).toBe(200)
  })

  test('C5 the fifth wrong one ends the offer, over both paths together and at once', async () => {
    const offer = await newOffer(app, withTxCode)
    const wrong = offer.tx_code === '000000' ? '000001' : '000000'
    const nonces = await Promise.all(Array.from({ length: 3 }, () => freshNonce(app)))
    await wallet.token('unknown')
    const answers = await Promise.all([
      ...nonces.map((nonce) => wallet.redeem(offer.code, nonce, { tx_code: wrong })),
      wallet.token(offer.code, { tx_code: wrong }),
      wallet.token(offer.code, { tx_code: wrong }),
    ])
    expect(answers.map(({ json }) => json['error'])).toEqual(Array(5).fill('invalid_grant'))
    const right = { tx_code: offer.tx_code ?? '' }
    expect(errorOf(await wallet.redeem(offer.code, await freshNonce(app), right))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.token(offer.code, right))).toEqual([400, 'invalid_grant'])
  })
})

describe('a malformed credential request', () => {
  test.each([
    ['text that is no JSON', '{', 'invalid_credential_request'],
    ['an array', '[]', 'invalid_credential_request'],
    ['a code that is a number', { 'pre-authorized_code': 7 }, 'invalid_credential_request'],
    ['an empty code', { 'pre-authorized_code': '' }, 'invalid_credential_request'],
    ['both proof and proofs', { 'pre-authorized_code': 'c', proof: {}, proofs: {} }, 'invalid_credential_request'],
    [
      'proofs of two types',
      { 'pre-authorized_code': 'c', proofs: { jwt: ['x'], di_vp: [{}] } },
      'invalid_credential_request',
    ],
    ['no proof in proofs', { 'pre-authorized_code': 'c', proofs: { jwt: [] } }, 'invalid_credential_request'],
    ['two proofs', { 'pre-authorized_code': 'c', proofs: { jwt: ['x', 'y'] } }, 'invalid_credential_request'],
    [
      'two names',
      { 'pre-authorized_code': 'c', credential_configuration_id: 'a', credential_identifier: 'b' },
      'invalid_credential_request',
    ],
    [
      'a name that is an array',
      { 'pre-authorized_code': 'c', credential_configuration_id: ['a'] },
      'invalid_credential_request',
    ],
  ])('C7 %s is 400 and never 422', async (_what, body, error) => {
    expect(errorOf(await wallet.request(body))).toEqual([400, error])
  })

  test.each([
    ['no proof', {}],
    ['a proof that is null', { proof: null }],
    ['a proof of another type', { proof: { proof_type: 'cwt', jwt: 'x' } }],
    ['a proof that is no JWT', { proof: { proof_type: 'jwt', jwt: 'x' } }],
    ['a JWT that is no text', { proof: { proof_type: 'jwt', jwt: 7 } }],
    ['proofs that are empty', { proofs: {} }],
    ['proofs of another type', { proofs: { attestation: ['x'] } }],
  ])('C7 %s is invalid_proof', async (_what, members) => {
    const offer = await newOffer(app)
    expect(errorOf(await wallet.request({ 'pre-authorized_code': offer.code, ...members }))).toEqual([
      400,
      'invalid_proof',
    ])
    expect((await wallet.redeem(offer.code, offer.c_nonce)).status).toBe(200)
  })

  test('C7 another media type is invalid_credential_request', async () => {
    const answer = await wallet.request('{}', { 'content-type': 'text/plain' })
    expect(errorOf(answer)).toEqual([400, 'invalid_credential_request'])
  })

  test('C7 neither code nor token is 401 with a DPoP challenge, both are refused', async () => {
    const neither = await wallet.request({})
    expect(errorOf(neither)).toEqual([401, 'invalid_token'])
    expect(neither.headers.get('www-authenticate')).toMatch(/^DPoP /)
    const both = await wallet.request({ 'pre-authorized_code': 'c' }, { authorization: 'DPoP token' })
    expect(errorOf(both)).toEqual([400, 'invalid_credential_request'])
  })
})

describe('a principal who may get nothing any more', () => {
  const offerFor = async (principalId: string) =>
    newOffer(app, { credential_configuration_id: 'service_mandate', subject: { principal_id: principalId } })

  test('C12 a restriction after the offer denies the request, and the code is spent', async () => {
    const { principalId } = await newPrincipal(app)
    const [one, two] = [await offerFor(principalId), await offerFor(principalId)]
    const person = await Person.signIn(app, principalId, 'privacy:dsar')
    must(await person.call('POST', '/privacy/dsar/restriction'), 200)
    const denied = [400, 'credential_request_denied']
    expect(errorOf(await wallet.redeem(one.code, one.c_nonce))).toEqual(denied)
    expect(errorOf(await wallet.redeem(one.code, await freshNonce(app)))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.token(two.code))).toEqual(denied)
    expect(errorOf(await wallet.token(two.code))).toEqual([400, 'invalid_grant'])
  })

  test.each(['restriction', 'erasure'])('C12 after %s the address of an offer leads to nothing', async (right) => {
    const { principalId } = await newPrincipal(app)
    const offer = await offerFor(principalId)
    expect((await exchange(offer.credential_offer_uri)).status).toBe(200)
    const person = await Person.signIn(app, principalId, 'privacy:dsar')
    must(await person.call('POST', `/privacy/dsar/${right}`), 200)
    expect((await exchange(offer.credential_offer_uri)).status).toBe(404)
    expect(errorOf(await wallet.token(offer.code))).toEqual([400, 'credential_request_denied'])
  })

  test('C12 an erasure after the token denies the request', async () => {
    const { principalId } = await newPrincipal(app)
    const offer = await offerFor(principalId)
    const token = must(await wallet.token(offer.code), 200)['access_token'] ?? ''
    const person = await Person.signIn(app, principalId, 'privacy:dsar')
    must(await person.call('POST', '/privacy/dsar/erasure'), 200)
    expect(errorOf(await wallet.fetch(token, 'service_mandate'))).toEqual([400, 'credential_request_denied'])
  })
})

describe('a proof of another key type', () => {
  test('C9 ES256 is refused', async () => {
    const offer = await newOffer(app)
    const jwt = await wallet.proof(offer.c_nonce, { key: await newKey('ES256') })
    expect(errorOf(await wallet.redeem(offer.code, '', { proof: { proof_type: 'jwt', jwt } }))).toEqual([
      400,
      'invalid_proof',
    ])
    expect(codeOf(offer)).toBe(offer.code)
  })
})

test('C3 the operator’s revocation needs the operator token', async () => {
  expect((await operate(app, 'POST', '/credentials/unknown/revoke')).status).toBe(404)
  expect((await exchange(`${app.baseUrl}/operator/credentials/unknown/revoke`, { method: 'POST' })).status).toBe(401)
})
