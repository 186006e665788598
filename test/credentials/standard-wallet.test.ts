/** Decisions D8 to D10 seen from another implementation of OpenID4VP, as it is, in the place of the wallet: @openid4vc/openid4vp. */
import { createHash, X509Certificate } from 'node:crypto'
import { type CallbackContext, setGlobalConfig } from '@openid4vc/oauth2'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { CompactEncrypt, compactVerify, exportJWK, importJWK, type JWK } from 'jose'
import { afterEach, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { must, operate } from '../support/actors'
import { newRelyingParty } from '../support/certificates'
import * as w from './request-world'

let world: w.World
w.withWorld((opened) => {
  world = opened
  setGlobalConfig({ allowInsecureUrls: true })
})

/** What the library leaves to its user: cryptography. */
const callbacks: Partial<CallbackContext> = {
  hash: (data, alg) => createHash(alg.replace('-', '')).update(data).digest(),
  verifyJwt: async (signer, { compact }) => {
    if (signer.method !== 'x5c') return { verified: false }
    const leaf = new X509Certificate(Buffer.from(signer.x5c[0] ?? '', 'base64'))
    const verified = await compactVerify(compact, leaf.publicKey).then(
      () => true,
      () => false,
    )
    return verified ? { verified, signerJwk: (await exportJWK(leaf.publicKey)) as never } : { verified }
  },
  encryptJwe: async ({ publicJwk, alg, enc }, data) => ({
    encryptionJwk: publicJwk,
    jwe: await new CompactEncrypt(Buffer.from(data))
      .setProtectedHeader({ alg, enc, kid: publicJwk.kid ?? '' })
      .encrypt(await importJWK(publicJwk as JWK, alg)),
  }),
  getX509CertificateMetadata: (certificate) => {
    const names = new X509Certificate(Buffer.from(certificate, 'base64')).subjectAltName ?? ''
    return { sanDnsNames: names.split(', ').map((name) => name.replace('DNS:', '')), sanUriNames: [] }
  },
}

/** The host of this server is the name that the certificate and the client_id have. */
const named = { names: [{ type: 'dns', value: 'localhost' } as const] }
const payment = { amount_minor: 1200, currency: 'EUR', merchant: 'https://shop.example' }

afterEach(() => world.app.platform.db.query(sql`DELETE FROM relying_party`))

test.each([
  ['x509_hash', {}],
  ['x509_hash', { transaction_data: payment }],
  ['x509_san_dns', {}],
])(
  'D8, D9, D10 it resolves the request by POST, checks %s, and answers with direct_post.jwt: %j',
  async (prefix, more) => {
    const party = await newRelyingParty(named)
    must(await operate(world.app, 'PUT', '/relying-party', { ...party, client_id_prefix: prefix }), 200)
    const client = new Openid4vpClient({ callbacks: callbacks as CallbackContext })
    const request = await w.newRequest(world.app, more)
    const parsed = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: request.deep_link })
    const resolved = await client.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: parsed.params as never,
    })
    const { authorizationRequestPayload: asked } = resolved
    expect(resolved.client.prefix).toBe(prefix)
    const presentation = await world.issuer.present(world.sdJwt, {
      holder: world.holder,
      aud: asked.client_id ?? '',
      nonce: asked.nonce,
      disclose: ['given_name'],
      ...(asked.transaction_data !== undefined && { transactionData: asked.transaction_data }),
    })
    const response = await client.createOpenid4vpAuthorizationResponse({
      authorizationRequestPayload: asked,
      authorizationResponsePayload: { vp_token: { pid: [presentation] } },
      jarm: {
        encryption: { nonce: 'n' },
        serverMetadata: {
          authorization_signing_alg_values_supported: [],
          authorization_encryption_alg_values_supported: ['ECDH-ES'],
          authorization_encryption_enc_values_supported: ['A128GCM'],
        },
      },
    })
    const sent = await client.submitOpenid4vpAuthorizationResponse({
      authorizationRequestPayload: asked as never,
      authorizationResponsePayload: response.authorizationResponsePayload,
      jarm: response.jarm,
    } as never)
    expect([sent.response.status, await sent.response.text()]).toEqual([200, '{}'])
    expect((await w.readResult(world.app, request)).json).toMatchObject({
      status: 'verified',
      result: { claims: { given_name: 'Ada' } },
    })
  },
)
