/** Decisions C2, C4, C6 and D7: how long offers, credentials and requests live where the operator says so. */
import { expect, test } from 'vitest'
import { withApp } from '../oauth/setup'
import { exchange } from '../support/actors'
import type { App } from '../support/app'
import { AGES, credentialOf, decodeCredential, errorOf, freshNonce, newOffer, Wallet } from './issuance-wallet'
import { ask, query, readResult } from './request-world'
import { postForm } from './wallet'

const env = {
  CREDENTIAL_OFFER_TTL_SECONDS: '60',
  CREDENTIAL_TTL_SECONDS: '3600',
  PRESENTATION_REQUEST_TTL_SECONDS: '30',
}
let app: App
withApp((started) => {
  app = started
}, env)

test('C4 an offer lives for CREDENTIAL_OFFER_TTL_SECONDS, and its code with it on both paths', async () => {
  const wallet = await Wallet.open(app)
  const offer = await newOffer(app)
  expect(offer.expires_in).toBe(60)
  app.clock.advance({ seconds: 59 })
  expect((await exchange(offer.credential_offer_uri)).status).toBe(200)
  app.clock.advance({ seconds: 2 })
  expect((await exchange(offer.credential_offer_uri)).status).toBe(404)
  expect(errorOf(await wallet.token(offer.code))).toEqual([400, 'invalid_grant'])
  expect(errorOf(await wallet.redeem(offer.code, await freshNonce(app)))).toEqual([400, 'invalid_grant'])
})

test('C10 an access token outlives the offer that it came from', async () => {
  const wallet = await Wallet.open(app)
  const { json } = await wallet.token((await newOffer(app)).code)
  app.clock.advance({ seconds: 120 })
  const answer = await wallet.fetch(json['access_token'] ?? '', AGES.credential_configuration_id)
  expect(answer.status, answer.text).toBe(200)
})

test('C2 a credential lives for CREDENTIAL_TTL_SECONDS', async () => {
  const offer = await newOffer(app)
  const wallet = await Wallet.open(app)
  const { payload } = decodeCredential(credentialOf(await wallet.redeem(offer.code, offer.c_nonce)))
  expect(Number(payload['exp']) - Number(payload['iat'])).toBe(3_600)
})

test('D7 a request lives for PRESENTATION_REQUEST_TTL_SECONDS', async () => {
  const { json: request } = await ask(app, { dcql_query: query() })
  app.clock.advance({ seconds: 29 })
  expect((await postForm(request.request_uri, {})).status).toBe(200)
  app.clock.advance({ seconds: 2 })
  expect((await postForm(request.request_uri, {})).status).toBe(404)
  expect((await readResult(app, request)).json.status).toBe('expired')
})
