/** C2 and C10 seen from other implementations, unpatched: a wallet's library, and a verifier of SD-JWT VCs. */
import { createHash, randomBytes, webcrypto } from 'node:crypto'
import { Openid4vciClient, setGlobalConfig } from '@openid4vc/openid4vci'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { createLocalJWKSet, type JSONWebKeySet, type JWK, jwtVerify, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { withApp } from '../oauth/setup'
import { exchange, type Key, must, newKey, newPrincipal, operate } from '../support/actors'
import type { App } from '../support/app'
import { AGES, credentialOf, decodeCredential, newOffer, type Offer, Wallet } from './issuance-wallet'

let app: App
withApp(async (started) => {
  app = started
})

let holder: Key
let dpop: Key
beforeAll(async () => {
  setGlobalConfig({ allowInsecureUrls: true })
  ;[holder, dpop] = await Promise.all([newKey(), newKey()])
})

const signerOf = (key: Key) => ({ method: 'jwk' as const, publicJwk: key.jwk as never, alg: 'EdDSA' })

function newClient(): Openid4vciClient {
  return new Openid4vciClient({
    callbacks: {
      hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
      generateRandom: (length) => randomBytes(length),
      clientAuthentication: () => undefined,
      signJwt: async (signer, { header, payload }) => {
        const wanted = (signer as { publicJwk: JWK }).publicJwk
        const key = wanted.x === dpop.jwk.x ? dpop : holder
        const jwt = await new SignJWT(payload as never).setProtectedHeader(header as never).sign(key.privateKey)
        return { jwt, signerJwk: wanted as never }
      },
    },
  })
}

/** The whole flow of a wallet that knows nothing but the text of the offer. */
async function completeFlow(text: string, txCode?: string): Promise<string> {
  const client = newClient()
  const credentialOffer = await client.resolveCredentialOffer(text)
  const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer)
  const { accessTokenResponse, dpop: nextDpop } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
    ...(txCode === undefined ? {} : { txCode }),
    dpop: { signer: signerOf(dpop) },
  })
  const [credentialConfigurationId = ''] = credentialOffer.credential_configuration_ids
  const { c_nonce: nonce } = await client.requestNonce({ issuerMetadata })
  const { jwt } = await client.createCredentialRequestJwtProof({
    issuerMetadata,
    credentialConfigurationId,
    nonce,
    signer: signerOf(holder),
  })
  const { credentialResponse } = await client.retrieveCredentials({
    issuerMetadata,
    accessToken: accessTokenResponse.access_token,
    credentialConfigurationId,
    proofs: { jwt: [jwt] },
    ...(nextDpop === undefined ? {} : { dpop: nextDpop }),
  })
  const [first] = credentialResponse.credentials ?? []
  return (first as { credential: string }).credential
}

const byReference = ({ credential_offer_uri: uri }: Offer) =>
  `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(uri)}`

describe('the wallet of @openid4vc/openid4vci', () => {
  test('C10 completes an offer by value', async () => {
    const credential = await completeFlow((await newOffer(app)).deep_link)
    expect(decodeCredential(credential).payload['cnf']).toMatchObject({ jkt: holder.jkt })
  })

  test('C10 completes an offer by reference with a transaction code', async () => {
    const { principalId } = await newPrincipal(app)
    const subject = { principal_id: principalId, purpose: 'Groceries' }
    const offer = await newOffer(app, { credential_configuration_id: 'service_mandate', subject, tx_code: true })
    const credential = await completeFlow(byReference(offer), offer.tx_code)
    expect(decodeCredential(credential).payload['vct']).toBe(`${app.baseUrl}/vct/service-mandate/1`)
  })
})

/** Knows nothing of ours but the published keys and the status list. */
async function newVerifier() {
  const jwks = createLocalJWKSet((await exchange<JSONWebKeySet>(`${app.baseUrl}/oauth/jwks.json`)).json)
  const isSigned = (text: string, typ: string) =>
    jwtVerify(text, jwks, { typ, currentDate: app.clock.now() }).then(
      () => true,
      () => false,
    )
  return new SDJwtVcInstance({
    hasher: (data, algorithm) =>
      new Uint8Array(
        createHash(algorithm.replace('-', ''))
          .update(typeof data === 'string' ? data : new Uint8Array(data))
          .digest(),
      ),
    hashAlg: 'sha-256',
    saltGenerator: () => Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('base64url'),
    verifier: (data, signature) => isSigned(`${data}.${signature}`, 'dc+sd-jwt'),
    statusListFetcher: async (uri) => (await exchange(uri)).text,
    statusVerifier: (data, signature) => isSigned(`${data}.${signature}`, 'statuslist+jwt'),
  })
}

describe('the verifier of @sd-jwt/sd-jwt-vc', () => {
  test('C2 takes a credential with all of its disclosures or some, until it is revoked', async () => {
    const wallet = await Wallet.open(app)
    const offer = await newOffer(app, AGES)
    const credential = credentialOf(await wallet.redeem(offer.code, offer.c_nonce))
    const verifier = await newVerifier()
    const { payload } = await verifier.verify(credential)
    expect(payload).toMatchObject({ age_equal_or_over: { 18: true, 21: false }, country: 'DE' })
    const [jwt = '', ...rest] = credential.split('~')
    const only18 = rest.filter((text) => Buffer.from(text, 'base64url').toString().includes('"18"'))
    const some = await verifier.verify([jwt, ...only18, ''].join('~'))
    expect(some.payload['age_equal_or_over']).toEqual({ 18: true })
    expect(some.payload).not.toHaveProperty('country')
    must(await operate(app, 'POST', `/credentials/${String(payload['jti'])}/revoke`), 200)
    await expect(verifier.verify(credential)).rejects.toThrow(/status/i)
  })
})
