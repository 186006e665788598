/** Decision A9: the codes of federation, credentials and presentations, and the status that each travels with. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statusOfCode } from '@/server/base/core/errors'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp({ seed: false })
})
afterAll(() => app.close())

const statuses = {
  invalid_subject: 404,
  invalid_trust_anchor: 400,
  invalid_trust_chain: 400,
  invalid_metadata: 400,
  unsupported_parameter: 400,
  vp_token_invalid: 400,
  nonce_mismatch: 400,
  audience_mismatch: 400,
  holder_binding_missing: 400,
  presentation_expired: 400,
  vp_formats_not_supported: 400,
  region_unsupported: 400,
  issuer_untrusted: 403,
  attestation_revoked: 403,
  request_object_invalid: 503,
  invalid_credential_request: 400,
  unknown_credential_configuration: 400,
  unknown_credential_identifier: 400,
  invalid_proof: 400,
  invalid_nonce: 400,
  credential_request_denied: 400,
}

test('A9 every code has its status, and an explanation with the endpoints that answer it', async () => {
  expect(statusOfCode).toMatchObject(statuses)
  const { text } = await exchange(`${app.baseUrl}/docs/errors`)
  for (const [code, status] of Object.entries(statuses)) {
    const [, section = ''] = text.split(`<h2 id="${code}">`)
    const [explanation = ''] = section.split('<h2')
    expect([code, explanation]).toEqual([code, expect.stringContaining(String(status))])
    expect([code, explanation]).toEqual([code, expect.stringMatching(/<code>(?:GET|POST) \//)])
  }
})
