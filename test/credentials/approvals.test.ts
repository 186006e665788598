/** Purchases that a wallet app approves (OpenID4VP with transaction data): dynamic linking, whose credential, and how often. */
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { listAudit } from '@/server/shared/audit'
import { must, operate, type PrincipalOptions } from '../support/actors'
import { type App, startApp } from '../support/app'
import { refusalOf } from '../support/browser'
import {
  addPasskeyOf,
  addWallet,
  configureRegion,
  fetchOfBackend,
  newShopper,
  openWalletRequest,
  order,
  pay,
  present,
  presentMandate,
  pressWallet,
  readAnswer,
  readTransaction,
  readView,
  type Shopper,
} from './approval-world'
import { startForeignIssuer } from './foreign-issuer'
import { decodeCredential, errorOf } from './issuance-wallet'
import { respond } from './wallet'

let app: App
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
})
afterAll(() => app.close())

/** Somebody with a wallet app, whose agent has asked for a book. */
async function openCase(options: PrincipalOptions = {}) {
  const shopper = await newShopper(app, options)
  const held = await addWallet(app, shopper)
  const waiting = await order(shopper)
  return { shopper, held, waiting, asked: await openWalletRequest(shopper, waiting.id) }
}

const statusOf = async (shopper: Shopper, id: string) => (await readView(shopper, id)).status
const query = (statement: ReturnType<typeof sql>) => app.platform.db.query<Record<string, unknown>>(statement)

describe('before a region is configured', () => {
  test('D2 the choice is not offered, and asking is refused', async () => {
    const shopper = await newShopper(app)
    await addWallet(app, shopper)
    const { id } = await order(shopper)
    expect((await readView(shopper, id)).takes_wallet_app).toBe(false)
    expect(refusalOf(await pressWallet(shopper, id))).toMatchObject({ error: 'region_unsupported' })
  })
})

describe('a purchase that a wallet app approves', () => {
  beforeAll(() => configureRegion(app))

  test('D9, D10 a purchase is approved by the presentation alone, up to its settlement', async () => {
    const shopper = await newShopper(app)
    const held = await addWallet(app, shopper)
    const waiting = await order(shopper)
    expect((await readView(shopper, waiting.id)).takes_wallet_app).toBe(true)
    const asked = await openWalletRequest(shopper, waiting.id)
    expect(await readAnswer(shopper, asked.request_id)).toEqual({ status: 'pending', error: null })
    expect(readTransaction(asked.claims)).toMatchObject({
      type: 'urn:oid4ac:payment:1',
      credential_ids: ['own_mandate'],
      authorization_id: waiting.id,
      merchant: `${app.baseUrl}/sandbox/merchants/tallow-books`,
      amount_minor: 1_200,
      currency: 'EUR',
      items: [{ sku: 'book', title: 'The Tallow Trade', qty: 1, unit_price_minor: 1_200 }],
    })
    expect(await present(held, asked.claims)).toMatchObject({ status: 200, json: {} })
    expect(await readAnswer(shopper, asked.request_id)).toEqual({ status: 'verified', error: null })
    expect(await readView(shopper, waiting.id)).toMatchObject({ status: 'approved', decided_via: 'portal' })
    const { tokens, settled } = await pay(shopper, waiting)
    expect(decodeJwt(tokens.access_token)).toMatchObject({ acr: 'urn:oid4ac:acr:phr' })
    must(settled, 200)
  })

  test('an approval is recorded with the presentation as its evidence, and with its means in the audit chain', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    must(await present(held, asked.claims), 200)
    const [evidence] = await query(sql`SELECT * FROM approval_evidence WHERE authorization_id = ${waiting.id}`)
    expect(evidence).toMatchObject({
      method: 'wallet_presentation',
      passkey_id: null,
      credential_id: held.id,
      presentation: expect.stringContaining(held.sdJwt),
      transaction_data: asked.claims.transaction_data?.[0],
      presentation_nonce: asked.claims.nonce,
      audience: asked.claims.client_id,
    })
    const [entry] = await listAudit(shopper.call(), { events: ['oid4ac.consent.approved'] })
    expect(entry).toMatchObject({
      event: 'oid4ac.consent.approved',
      payload: { means: 'wallet_presentation', authorization_id: waiting.id, passkey_id: null },
    })
  })

  test('D10 a purchase is approved once by sixteen responses at a time, and by one of two requests', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    const other = await openWalletRequest(shopper, waiting.id)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => present(held, index % 2 === 0 ? asked.claims : other.claims)),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, ...Array.from({ length: 14 }, () => 404), 409])
    expect(await query(sql`SELECT 1 FROM approval_evidence WHERE authorization_id = ${waiting.id}`)).toHaveLength(1)
  })
})

describe('whose credential approves', () => {
  beforeAll(() => configureRegion(app))

  test("another person's credential approves nothing", async () => {
    const { shopper, waiting, asked } = await openCase()
    const stranger = await addWallet(app, await newShopper(app))
    expect(errorOf(await present(stranger, asked.claims))).toEqual([400, 'vp_token_invalid'])
    expect(await readAnswer(shopper, asked.request_id)).toEqual({ status: 'rejected', error: 'vp_token_invalid' })
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
  })

  test('one that a backend offered does not, though it is about the same person', async () => {
    const { shopper, waiting, asked } = await openCase()
    const planted = await fetchOfBackend(app, shopper)
    expect(errorOf(await present(planted, asked.claims))).toEqual([400, 'vp_token_invalid'])
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
  })

  test('a person who has none of their own is not offered the choice', async () => {
    const shopper = await newShopper(app)
    await fetchOfBackend(app, shopper)
    const { id } = await order(shopper)
    expect((await readView(shopper, id)).takes_wallet_app).toBe(false)
    expect(refusalOf(await pressWallet(shopper, id))).toMatchObject({ error: 'forbidden' })
  })

  test("another issuer's credential approves nothing, even where the region trusts that issuer for this type and its claims are copied", async () => {
    const issuer = await startForeignIssuer({ clock: app.clock })
    const issuers = [{ issuer: issuer.issuer, algs: ['ES256', 'EdDSA'], jwks: issuer.jwks }]
    must(await operate(app, 'PUT', '/trust-lists/OTHER', { issuers }), 200)
    const { shopper, held, waiting, asked } = await openCase()
    const { principal } = decodeCredential(held.sdJwt).disclosed
    const vct = `${app.baseUrl}/vct/service-mandate/1`
    const claims = { principal }
    const payload = { jti: held.id }
    const forged = await issuer.issue({ vct, claims, holder: held.key, alg: 'EdDSA', payload } as never)
    const answer = await present({ ...held, sdJwt: forged }, asked.claims)
    expect(errorOf(answer)).toEqual([400, 'vp_token_invalid'])
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
    await operate(app, 'DELETE', '/trust-lists/OTHER')
    await issuer.close()
  })

  test('C3, D6 a revoked one approves nothing more, and what it approved is not paid', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    const approved = await order(shopper)
    must(await present(held, (await openWalletRequest(shopper, approved.id)).claims), 200)
    must(await operate(app, 'POST', `/credentials/${held.id}/revoke`), 200)
    expect(errorOf(await present(held, asked.claims))).toEqual([403, 'attestation_revoked'])
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
    expect((await readView(shopper, waiting.id)).takes_wallet_app).toBe(false)
    expect(errorOf((await pay(shopper, approved)).settled)).toEqual([403, 'forbidden'])
  })

  test('of a person with a passkey, only a credential that the passkey confirmed approves, as long as that passkey is there', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    const { passkey, id } = await addPasskeyOf(shopper)
    await query(sql`UPDATE principals SET passkey_required = true WHERE id = ${shopper.principalId}`)
    expect((await readView(shopper, waiting.id)).takes_wallet_app).toBe(false)
    expect(errorOf(await present(held, asked.claims))).toEqual([400, 'vp_token_invalid'])

    const strong = await addWallet(app, shopper, passkey)
    const first = await openWalletRequest(shopper, waiting.id)
    const second = await order(shopper)
    const late = await openWalletRequest(shopper, second.id)
    must(await present(strong, first.claims), 200)
    expect(await statusOf(shopper, waiting.id)).toBe('approved')
    await query(sql`DELETE FROM passkeys WHERE id = ${id}`)
    expect(errorOf(await present(strong, late.claims))).toEqual([400, 'vp_token_invalid'])
    expect(await statusOf(shopper, second.id)).toBe('pending')
  })
})

describe('what was signed', () => {
  beforeAll(() => configureRegion(app))

  const changes: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly [number, string]])[] = [
    ['the hash of another purchase', { transaction_data_hashes: ['A'.repeat(43)] }, [400, 'vp_token_invalid']],
    ['no hash', { transaction_data_hashes: undefined }, [400, 'vp_token_invalid']],
    ['an empty list of hashes', { transaction_data_hashes: [] }, [400, 'vp_token_invalid']],
    ['another nonce', { nonce: 'another' }, [400, 'nonce_mismatch']],
    ['another audience', { aud: 'x509_hash:another' }, [400, 'audience_mismatch']],
    ['another presentation', { sd_hash: 'A'.repeat(43) }, [400, 'vp_token_invalid']],
    ['another time', { iat: 1_700_000_000 }, [400, 'vp_token_invalid']],
  ]
  test.each(changes)('%s approves nothing', async (_name, change, refusal) => {
    const { shopper, held, waiting, asked } = await openCase()
    expect(errorOf(await present(held, asked.claims, change))).toEqual(refusal)
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
  })

  test('D10 no purchase is ever approved by a presentation whose hashed transaction data differ from the request', async () => {
    const { shopper, held, waiting } = await openCase()
    const value = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant([]))
    const member = fc.constantFrom(
      'merchant',
      'amount_minor',
      'currency',
      'items',
      'authorization_id',
      'display_digest',
      'more',
    )
    await fc.assert(
      fc.asyncProperty(member, value, async (name, other) => {
        const { claims } = await openWalletRequest(shopper, waiting.id)
        const said = readTransaction(claims)
        fc.pre(JSON.stringify(said[name]) !== JSON.stringify(other))
        const text = Buffer.from(JSON.stringify({ ...said, [name]: other })).toString('base64url')
        const answer = await present(held, { ...claims, transaction_data: [text] })
        expect(errorOf(answer)).toEqual([400, 'vp_token_invalid'])
        expect(await statusOf(shopper, waiting.id)).toBe('pending')
      }),
      { numRuns: 25 },
    )
  })

  test('D10 a presentation is for one request: it does not approve the next purchase', async () => {
    const { shopper, held, asked } = await openCase()
    const presentation = await presentMandate(held, asked.claims)
    must(await respond(asked.claims, { vp_token: { own_mandate: [presentation] } }), 200)
    const next = await order(shopper)
    const { claims } = await openWalletRequest(shopper, next.id)
    expect(errorOf(await respond(claims, { vp_token: { own_mandate: [presentation] } }))).toEqual([
      400,
      'nonce_mismatch',
    ])
    expect(errorOf(await respond(asked.claims, { vp_token: { own_mandate: [presentation] } }))).toEqual([
      404,
      'not_found',
    ])
    expect(await statusOf(shopper, next.id)).toBe('pending')
  })

  test('D10 two presentations approve nothing', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    const presentation = await presentMandate(held, asked.claims)
    const answer = await respond(asked.claims, { vp_token: { own_mandate: [presentation, presentation] } })
    expect(errorOf(answer)).toEqual([400, 'vp_token_invalid'])
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
  })

  const columns = [
    'amount_minor = 1300',
    "currency = 'USD'",
    "line_items = '[]'",
    "merchant_audience = 'https://evil.example'",
  ]
  test.each(columns)('no purchase is approved whose transaction data differ from the request: %s', async (change) => {
    const { shopper, held, waiting, asked } = await openCase()
    await query(sql`UPDATE consents SET ${sql.raw(change)} WHERE authorization_id = ${waiting.id}`)
    expect(errorOf(await present(held, asked.claims))).toEqual([409, 'conflict'])
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
    expect(await query(sql`SELECT 1 FROM approval_evidence WHERE authorization_id = ${waiting.id}`)).toEqual([])
  })

  const tampered = [
    `presentation = overlay(presentation placing 'AAAA' from 200)`,
    `presentation = left(presentation, length(presentation) - 4) || 'AAAA'`,
    `transaction_data = 'e30'`,
    `presentation_nonce = 'another'`,
    `audience = 'another'`,
    `holder_jkt = 'another'`,
    `credential_id = 'another'`,
  ]
  test.each(tampered)('nothing is paid on evidence that was changed: %s', async (change) => {
    const { shopper, held, waiting, asked } = await openCase()
    must(await present(held, asked.claims), 200)
    await query(sql`UPDATE approval_evidence SET ${sql.raw(change)} WHERE authorization_id = ${waiting.id}`)
    expect(errorOf((await pay(shopper, waiting)).settled)).toEqual([403, 'forbidden'])
  })
})

describe('when a wallet app answers too late', () => {
  beforeAll(() => configureRegion(app))

  const ends: readonly (readonly [string, (shopper: Shopper, id: string) => Promise<unknown>])[] = [
    ['declined', ({ page }, id) => page.mutate('approvals.decide', { authorization_id: id, decision: 'decline' })],
    ['approved on the page', ({ page }, id) => page.approve(id)],
    [
      'expired',
      (_shopper, id) => query(sql`UPDATE consents SET expires_at = created_at WHERE authorization_id = ${id}`),
    ],
    ['frozen', ({ page }) => page.mutate('limits.freeze', undefined)],
    ['paused', ({ page, agent }) => page.mutate('agents.pause', { client_id: agent.clientId })],
    ['revoked', ({ page, agent }) => page.mutate('agents.revoke', { client_id: agent.clientId })],
    ['restricted', ({ page }) => page.mutate('privacy.restrict', {})],
  ]
  test.each(ends)('the request that was %s stays as it is', async (_name, end) => {
    const { shopper, held, waiting, asked } = await openCase()
    expect(await end(shopper, waiting.id)).not.toMatchObject({ json: { error: expect.anything() } })
    const before = await query(sql`SELECT status, decided_at FROM consents WHERE authorization_id = ${waiting.id}`)
    const count = sql`SELECT count(*)::int AS count FROM approval_evidence WHERE authorization_id = ${waiting.id}`
    const recorded = await query(count)
    expect(errorOf(await present(held, asked.claims))).toEqual([409, 'conflict'])
    expect(await query(sql`SELECT status, decided_at FROM consents WHERE authorization_id = ${waiting.id}`)).toEqual(
      before,
    )
    expect(await query(count)).toEqual(recorded)
    expect(await readAnswer(shopper, asked.request_id)).toEqual({ status: 'rejected', error: 'conflict' })
  })

  test('D9 an expired request for it is unknown', async () => {
    const { shopper, held, asked } = await openCase()
    await query(sql`UPDATE presentation_requests SET expires_at = created_at WHERE id = ${asked.request_id}`)
    expect(errorOf(await present(held, asked.claims))).toEqual([404, 'not_found'])
    expect(await readAnswer(shopper, asked.request_id)).toEqual({ status: 'expired', error: null })
  })

  test('nothing is approved while approvals are switched off', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    must(await operate(app, 'PUT', '/switches/consent_scan', { enabled: false }), 200)
    expect(errorOf(await present(held, asked.claims))).toEqual([503, 'service_unavailable'])
    must(await operate(app, 'PUT', '/switches/consent_scan', { enabled: true }), 200)
    expect(await statusOf(shopper, waiting.id)).toBe('pending')
  })
})

describe('asking a wallet app', () => {
  beforeAll(() => configureRegion(app))

  test('a page that showed something else asks for nothing', async () => {
    const { shopper, waiting } = await openCase()
    const answer = await pressWallet(shopper, waiting.id, { amount_minor: 1 })
    expect(refusalOf(answer)).toMatchObject({ error: 'conflict' })
  })

  test('what the person chose for the next time is signed, and remembered', async () => {
    const shopper = await newShopper(app, { approval_rule: 'new_merchants' })
    const held = await addWallet(app, shopper)
    const waiting = await order(shopper)
    const { claims } = await openWalletRequest(shopper, waiting.id)
    expect(readTransaction(claims)).toMatchObject({ ask_above_minor: 2_400 })
    must(await present(held, claims), 200)
    const remembered = await query(
      sql`SELECT up_to_minor FROM remembered_approvals WHERE principal_id = ${shopper.principalId}`,
    )
    expect(remembered).toEqual([{ up_to_minor: 2_400 }])
  })

  test('D10 a wallet app that declines changes nothing, and the person may press again', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    must(await respond(asked.claims, { error: 'access_denied' }), 200)
    expect(await readAnswer(shopper, asked.request_id)).toEqual({ status: 'rejected', error: 'access_denied' })
    must(await present(held, (await openWalletRequest(shopper, waiting.id)).claims), 200)
    expect(await statusOf(shopper, waiting.id)).toBe('approved')
  })

  test('erasure empties what was presented', async () => {
    const { shopper, held, waiting, asked } = await openCase()
    must(await present(held, asked.claims), 200)
    const erased = await shopper.page.mutate('privacy.erase', {})
    expect(erased.status).toBe(200)
    expect(
      await query(sql`SELECT presentation, transaction_data, credential_id, holder_jkt, display FROM approval_evidence
        WHERE authorization_id = ${waiting.id}`),
    ).toEqual([{ presentation: '', transaction_data: '', credential_id: '', holder_jkt: '', display: {} }])
  })
})
