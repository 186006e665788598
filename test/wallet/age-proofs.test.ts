/** Proofs of an age, which people give with a wallet app: decisions C1, C3, and D2 to D11 as one use of them. */
import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { decodeSdJwt } from '@/scripts/wallet/sd-jwt'
import { sql } from '@/server/base/core/sql'
import { LATEST_EPOCH_SECONDS } from '@/server/base/protocol/claims'
import { readAge, readAgeRequest, withdrawAgeRequest } from '@/server/surfaces/portal'
import { removeAgeProof } from '@/server/wallet/age-proofs'
import { REGION, trust, type World, withWorld } from '../credentials/request-world'
import { fetchRequest, readDeepLink, respond } from '../credentials/wallet'
import { ask as askRight, outboxOf, runJobs } from '../privacy/requests'
import { type Agent, countStatuses, exchange, must, newPrincipal, operate, Person } from '../support/actors'
import { addPasskey } from '../support/passkey-holder'
import { withPortal } from '../support/wallet-token'
import {
  answerWithOwn,
  answerWithPid,
  GIN,
  gin,
  newBuyer,
  ownCredential,
  PID,
  presentMandate,
  presentPid,
  proofsOf,
  prove,
  shopOf,
  start,
  statusOf,
} from './age-world'

let world: World
withWorld(async (opened) => {
  world = opened
  const { issuer, jwks } = world.issuer
  await trust(world.app, REGION, [{ issuer, algs: ['ES256'], jwks, vct_values: [PID] }])
})

const db = () => world.app.platform.db
const buyer = () => newBuyer(world.app)

/** What the audit chain tells about the person's age. */
async function entriesOf(principalId: string): Promise<unknown[]> {
  const rows = await db().query<{ payload: string }>(
    sql`SELECT payload FROM audit_entries WHERE principal_id = ${principalId} AND payload LIKE '%age_proof%' ORDER BY seq`,
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}

/** What a purchase of gin ends with at the authorization endpoint. */
async function outcomeOf(agent: Agent, wish: Parameters<Agent['purchase']>[0] = gin(world.app)) {
  const { form } = await agent.purchase(wish)
  return (await agent.authorize(must(await agent.push(form), 201).request_uri)).result
}

describe('proving an age with a wallet app', () => {
  test('D7, D9 the request asks for one claim that must be true, of a person identification or our own credential', async () => {
    const { principalId } = await buyer()
    const { link, qr_svg: svg, expires_at: end } = await start(world.app, principalId)
    const { claims } = await fetchRequest(link)
    const claim = { path: ['age_equal_or_over', '18'], values: [true] }
    expect(claims['dcql_query']).toMatchObject({
      credentials: [
        { id: 'pid', meta: { vct_values: [PID] }, claims: [claim] },
        {
          id: 'age_verified_buyer',
          meta: { vct_values: [`${world.app.baseUrl}/vct/age-verified-buyer/1`] },
          claims: [claim],
        },
      ],
      credential_sets: [{ options: [['pid'], ['age_verified_buyer']] }],
    })
    expect(claims).not.toHaveProperty('transaction_data')
    expect(JSON.stringify(claims)).not.toContain(principalId)
    expect(svg).toMatch(/^<svg/)
    expect(new Date(end).getTime() - world.app.clock.now().getTime()).toBeLessThanOrEqual(600_000)
  })

  test('D10 a person identification proves the age, and nothing else of it is kept', async () => {
    const { principalId, email } = await buyer()
    const { id, link } = await start(world.app, principalId)
    expect(await statusOf(world.app, principalId, id)).toEqual({ status: 'pending', error: null })
    must(await answerWithPid(world, link), 200)
    expect(await statusOf(world.app, principalId, id)).toEqual({ status: 'verified', error: null })
    const [proof, ...more] = await proofsOf(world.app, principalId)
    expect([proof, more]).toEqual([
      {
        age: 18,
        source: 'presentation',
        issuer: world.issuer.issuer,
        proven_at: expect.any(String),
        expires_at: expect.any(String),
        status: 'valid',
      },
      [],
    ])
    const lasts = new Date(proof?.expires_at ?? 0).getTime() - new Date(proof?.proven_at ?? 0).getTime()
    expect(lasts).toBe(365 * 86_400_000)
    const [row] = await db().query<{ sealed_outcome: string }>(
      sql`SELECT sealed_outcome FROM presentation_requests WHERE id = ${id}`,
    )
    const kept = world.app.platform.sealer.open(row?.sealed_outcome ?? '', `presentation-outcome/${id}`).toString()
    expect(kept).not.toMatch(/Lovelace|age_equal_or_over/)
    const mails = await outboxOf(world.app, email)
    expect(mails.map(({ subject }) => subject)).toContain('Your age was proven')
    expect(await entriesOf(principalId)).toEqual([
      {
        what: 'age_proof',
        from: null,
        to: 'proven',
        means: 'wallet_presentation',
        agent_client_id: null,
        merchant_audience: null,
      },
    ])
  })

  test('C1, D1 our own credential proves the age until it ends', async () => {
    const { principalId } = await buyer()
    const own = await ownCredential(world.app, { age_equal_or_over: { 18: true, 21: false } })
    must(await answerWithOwn(own, (await start(world.app, principalId)).link), 200)
    const { exp } = decodeJwt(own.credential.split('~')[0] ?? '')
    expect(await proofsOf(world.app, principalId)).toMatchObject([
      {
        age: 18,
        source: 'credential',
        issuer: world.app.baseUrl,
        expires_at: new Date(Number(exp) * 1000).toISOString(),
      },
    ])
  })

  test('a person identification that ends sooner than a year proves the age until then', async () => {
    const { principalId } = await buyer()
    const exp = Math.floor(world.app.clock.now().getTime() / 1000) + 3_600
    must(await answerWithPid(world, (await start(world.app, principalId)).link, { exp }), 200)
    const [proof] = await proofsOf(world.app, principalId)
    expect(proof?.expires_at).toBe(new Date(exp * 1000).toISOString())
  })

  test('a credential that ends after the last date there is proves the age for a year', async () => {
    const { principalId } = await buyer()
    const { link } = await start(world.app, principalId)
    must(await answerWithPid(world, link, { exp: LATEST_EPOCH_SECONDS }), 200)
    expect(await proofsOf(world.app, principalId)).toMatchObject([{ age: 18, status: 'valid' }])
  })

  const past = () => Math.floor(world.app.clock.now().getTime() / 1000) - 60
  test.each([
    ['an age that has not been reached', () => ({ age_equal_or_over: { 18: false } }), 400, 'vp_token_invalid'],
    ['the text "true"', () => ({ age_equal_or_over: { 18: 'true' } }), 400, 'vp_token_invalid'],
    ['the number 1', () => ({ age_equal_or_over: { 18: 1 } }), 400, 'vp_token_invalid'],
    ['another age', () => ({ age_equal_or_over: { 16: true } }), 400, 'vp_token_invalid'],
    ['no age', () => ({ age_equal_or_over: {} }), 400, 'vp_token_invalid'],
    ['another type of the same issuer', () => ({ vct: 'urn:eudi:mdl:1' }), 403, 'issuer_untrusted'],
    ['an expired credential', () => ({ exp: past() }), 400, 'presentation_expired'],
  ] as const)('%s proves nothing', async (_what, pid, status, error) => {
    const { principalId } = await buyer()
    const { id, link } = await start(world.app, principalId)
    const refused = await answerWithPid(world, link, pid())
    expect([refused.status, refused.json['error']]).toEqual([status, error])
    expect(await statusOf(world.app, principalId, id)).toEqual({ status: 'refused', error })
    expect(await proofsOf(world.app, principalId)).toEqual([])
    expect((await answerWithPid(world, link).catch((cause: unknown) => cause)) as Error).toBeInstanceOf(Error)
  })

  test('C3, D6 a revoked credential of our own proves nothing', async () => {
    const { principalId } = await buyer()
    const own = await ownCredential(world.app, { age_equal_or_over: { 18: true } })
    const { jti } = decodeJwt(own.credential.split('~')[0] ?? '')
    must(await operate(world.app, 'POST', `/credentials/${jti}/revoke`), 200)
    const refused = await answerWithOwn(own, (await start(world.app, principalId)).link)
    expect([refused.status, refused.json['error']]).toEqual([403, 'attestation_revoked'])
    expect(await proofsOf(world.app, principalId)).toEqual([])
  })

  test('a credential that was issued to another person of this wallet proves nothing', async () => {
    const [ada, eve] = [await buyer(), await buyer()]
    const subject = { age_equal_or_over: { 18: true }, principal_id: ada.principalId }
    const own = await ownCredential(world.app, subject)
    const refused = await answerWithOwn(own, (await start(world.app, eve.principalId)).link)
    expect([refused.status, refused.json['error']]).toEqual([400, 'vp_token_invalid'])
    expect(await proofsOf(world.app, eve.principalId)).toEqual([])
    must(await answerWithOwn(own, (await start(world.app, ada.principalId)).link), 200)
    expect(await proofsOf(world.app, ada.principalId)).toHaveLength(1)
  })

  test('D10 a wallet app that refuses proves nothing', async () => {
    const { principalId } = await buyer()
    const { id, link } = await start(world.app, principalId)
    const { claims } = await fetchRequest(link)
    const body = new URLSearchParams({ error: 'access_denied', state: claims.state })
    await exchange(claims.response_uri, { method: 'POST', body })
    expect(await statusOf(world.app, principalId, id)).toEqual({ status: 'refused', error: 'access_denied' })
    expect(await proofsOf(world.app, principalId)).toEqual([])
  })

  test('D10 of sixteen answers at once one counts', async () => {
    const { principalId } = await buyer()
    const { link } = await start(world.app, principalId)
    const { claims: asked } = await fetchRequest(link)
    const presentation = await presentPid(world, asked)
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => respond(asked, { vp_token: { pid: [presentation] } })),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 404: 15 })
    expect(await entriesOf(principalId)).toHaveLength(1)
  })

  test('D10 an answer is for one request: it is no answer to that of another person', async () => {
    const [ada, eve] = [await buyer(), await buyer()]
    const own = await fetchRequest((await start(world.app, ada.principalId)).link)
    const others = await fetchRequest((await start(world.app, eve.principalId)).link)
    const presentation = await presentPid(world, own.claims)
    const refused = await respond(others.claims, { vp_token: { pid: [presentation] } })
    expect([refused.status, refused.json['error']]).toEqual([400, 'nonce_mismatch'])
    expect(await proofsOf(world.app, eve.principalId)).toEqual([])
  })

  test('A5, D11 a request is nobody else’s business: not in the portal, and not over HTTP', async () => {
    const [ada, eve] = [await buyer(), await buyer()]
    const { id, link } = await start(world.app, ada.principalId)
    for (const read of [readAgeRequest, withdrawAgeRequest]) {
      await expect(read(withPortal(world.app, eve.principalId), { id })).rejects.toMatchObject({ code: 'not_found' })
    }
    const path = new URL(readDeepLink(link).requestUri).pathname.replace('/request/', '/response/')
    const result = await exchange(`${world.app.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${world.app.operatorToken}` },
    })
    expect(result.status).toBe(404)
    expect(await statusOf(world.app, ada.principalId, id)).toEqual({ status: 'pending', error: null })
  })

  test('a request that was withdrawn takes no answer', async () => {
    const { principalId } = await buyer()
    const { id, link } = await start(world.app, principalId)
    const { claims: asked } = await fetchRequest(link)
    const withdrawn = await withdrawAgeRequest(withPortal(world.app, principalId), { id })
    expect(withdrawn).toEqual({ status: 'refused', error: 'access_denied' })
    const late = await respond(asked, { vp_token: { pid: [await presentPid(world, asked)] } })
    expect(late.status).toBe(404)
    expect(await proofsOf(world.app, principalId)).toEqual([])
    // Again, it stays as it is.
    expect(await withdrawAgeRequest(withPortal(world.app, principalId), { id })).toEqual(withdrawn)
  })

  test('a person with a passkey confirms that they want to prove an age', async () => {
    const { principalId } = await buyer()
    const call = withPortal(world.app, principalId)
    await addPasskey(call)
    await expect(start(world.app, principalId)).rejects.toMatchObject({ code: 'step_up_required' })
    const requests = await db().query(sql`SELECT 1 FROM presentation_requests WHERE principal_id = ${principalId}`)
    expect(requests).toEqual([])
  })

  test('a person whose data may not be processed neither asks nor is answered', async () => {
    const { principalId } = await buyer()
    const { id, link } = await start(world.app, principalId)
    await db().query(sql`UPDATE principals SET processing_restricted = true WHERE id = ${principalId}`)
    await expect(start(world.app, principalId)).rejects.toMatchObject({ code: 'access_denied' })
    const refused = await answerWithPid(world, link)
    expect([refused.status, refused.json['error']]).toEqual([400, 'vp_token_invalid'])
    expect(await statusOf(world.app, principalId, id)).toMatchObject({ status: 'refused' })
    expect(await proofsOf(world.app, principalId)).toEqual([])
  })

  test('erasure takes the proofs and the requests, and nobody answers them any more', async () => {
    const { principalId } = await buyer()
    await prove(world, principalId)
    const { claims: asked } = await fetchRequest((await start(world.app, principalId)).link)
    const { token } = await Person.signIn(world.app, principalId, 'privacy:dsar')
    must(await askRight(world.app, token, 'erasure'), 200)
    const late = await respond(asked, { vp_token: { pid: [await presentPid(world, asked)] } })
    expect(late.status).toBe(404)
    for (const table of ['age_proofs', 'presentation_requests']) {
      const rows = await db().query(sql`SELECT 1 FROM ${sql.raw(table)} WHERE principal_id = ${principalId}`)
      expect([table, rows]).toEqual([table, []])
    }
  })

  test('D2 where no region is configured, nothing is offered and nothing is asked', async () => {
    const { principalId } = await buyer()
    const { json } = await operate<{ trust_lists: { issuers: unknown[] }[] }>(world.app, 'GET', '/trust-lists')
    await operate(world.app, 'DELETE', `/trust-lists/${REGION}`)
    const page = await readAge(withPortal(world.app, principalId))
    const asking = start(world.app, principalId)
    await expect(asking).rejects.toMatchObject({ code: 'region_unsupported' })
    expect(page).toEqual({ offered: false, proofs: [] })
    await operate(world.app, 'PUT', `/trust-lists/${REGION}`, { issuers: json.trust_lists[0]?.issuers })
    expect((await readAge(withPortal(world.app, principalId))).offered).toBe(true)
  })
})

describe('buying where buyers must have reached an age', () => {
  test('without a proof the purchase is setup_required, with the page where the age is proven', async () => {
    const { agent } = await buyer()
    const { form } = await agent.purchase(gin(world.app))
    const pushed = must(await agent.push(form), 201)
    const { result, location } = await agent.authorize(pushed.request_uri)
    expect(result).toEqual({
      error: 'setup_required',
      error_description:
        'The merchant sells only to people of 18 and older. The person has yet to prove their age in their wallet.',
      error_uri: `${world.app.baseUrl}/settings/age?age=18`,
      state: 'state-1',
      iss: world.app.baseUrl,
    })
    expect(location).not.toContain('code=')
    const mandates = await db().query(sql`SELECT 1 FROM mandates WHERE client_id = ${agent.clientId}`)
    expect(mandates).toEqual([])
  })

  test('a card comes before an age', async () => {
    const { agent, principalId } = await buyer()
    await db().query(sql`UPDATE card_mandates SET status = 'removed' WHERE principal_id = ${principalId}`)
    expect((await outcomeOf(agent))['error_description']).toContain('add a card')
  })

  test('a proven age is a disclosable claim of the mandate, and the merchant verifies it', async () => {
    const { agent, principalId } = await buyer()
    await prove(world, principalId)
    const { mandate_jwt: mandate, merchant } = await agent.buy(await ginOffer())
    const { payload, claims } = decodeSdJwt(mandate)
    expect(payload).not.toHaveProperty('age_equal_or_over')
    expect(claims['age_equal_or_over']).toEqual({ 18: true })
    expect(Object.keys(claims)).not.toEqual(expect.arrayContaining(['birthdate', 'family_name']))
    const verified = await verifyAt(agent, { mandate, merchant, claims: ['age_equal_or_over'] })
    expect([verified.status, verified.json]).toEqual([
      200,
      expect.objectContaining({ ok: true, age_equal_or_over: { 18: true } }),
    ])
    expect(verified.text).not.toContain(principalId)
  })

  test('the merchant refuses a mandate whose age is not disclosed, and nothing is charged', async () => {
    const { agent, principalId } = await buyer()
    await prove(world, principalId)
    const { mandate_jwt: mandate, mandate_id: id, merchant } = await agent.buy(await ginOffer())
    const refused = await verifyAt(agent, { mandate, merchant, claims: ['line_items'] })
    expect([refused.status, refused.json['error']]).toEqual([422, 'mandate_invalid'])
    expect(await db().query(sql`SELECT 1 FROM settlements WHERE mandate_id = ${id}`)).toEqual([])
  })

  test('a mandate for another merchant says nothing about the age', async () => {
    const { agent, principalId } = await buyer()
    await prove(world, principalId)
    const { mandate_jwt: mandate } = await agent.buy()
    expect(decodeSdJwt(mandate).claims).not.toHaveProperty('age_equal_or_over')
  })

  test('the mandate settles at the authorization server as any other', async () => {
    const { agent, principalId } = await buyer()
    await prove(world, principalId)
    const { access_token: token, mandate_jwt: mandate } = await agent.buy(gin(world.app))
    const settled = await agent.settle(token, mandate, randomUUID())
    expect([settled.status, settled.json['status']]).toEqual([200, 'succeeded'])
  })

  test('a proof that was removed counts no more, also for a code that is out already', async () => {
    const { agent, principalId } = await buyer()
    await prove(world, principalId)
    const { code, verifier } = await agent.code(gin(world.app))
    const call = withPortal(world.app, principalId)
    expect(await removeAgeProof(call, { age: 18 })).toEqual({ age: 18 })
    const refused = await agent.redeem(code, verifier)
    expect([refused.status, refused.json]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
    expect(await outcomeOf(agent)).toMatchObject({ error: 'setup_required' })
    await expect(removeAgeProof(call, { age: 18 })).rejects.toMatchObject({ code: 'not_found' })
    // The refused code is still good: the person proves their age again.
    await prove(world, principalId)
    expect((await agent.redeem(code, verifier)).status).toBe(200)
  })

  test('codes that are redeemed at once are judged each by its own person and merchant', async () => {
    const [adult, unproven] = [await buyer(), await buyer()]
    for (const { principalId } of [adult, unproven]) await prove(world, principalId)
    const offers = [
      [unproven.agent, gin(world.app)],
      [adult.agent, { merchant: shopOf(world.app, 'tallow-books'), amount_minor: 10 }],
      [adult.agent, gin(world.app)],
    ] as const
    const bought: { agent: Agent; code: string; verifier: string }[] = []
    for (const [agent, offer] of offers) bought.push({ agent, ...(await agent.code(offer)) })
    await removeAgeProof(withPortal(world.app, unproven.principalId), { age: 18 })
    const answers = await Promise.all(bought.map(({ agent, code, verifier }) => agent.redeem(code, verifier)))
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200])
    const [, book, bottle] = answers.map(({ json }) => json['mandate_jwt'] ?? '')
    expect(decodeSdJwt(book ?? '').claims).not.toHaveProperty('age_equal_or_over')
    expect(decodeSdJwt(bottle ?? '').claims).toMatchObject({ age_equal_or_over: { 18: true } })
  })

  test('a person removes their own proof alone', async () => {
    const [ada, eve] = [await buyer(), await buyer()]
    await prove(world, ada.principalId)
    const removing = removeAgeProof(withPortal(world.app, eve.principalId), { age: 18 })
    await expect(removing).rejects.toMatchObject({ code: 'not_found' })
    expect(await proofsOf(world.app, ada.principalId)).toHaveLength(1)
  })

  test('an operator says which age a merchant needs, and a greater proven one suffices for it', async () => {
    const { agent, principalId } = await buyer()
    const audience = `https://wine-${randomUUID()}.example`
    const fields = { business_name: 'Wine', country: 'DE', accepts_currency: ['EUR'], verification_status: 'verified' }
    const created = await operate(world.app, 'POST', '/merchants', {
      merchant_audience: audience,
      min_age: 16,
      ...fields,
    })
    const { id, min_age: age } = must(created, 201) as unknown as { id: string; min_age: number }
    expect(age).toBe(16)
    const wish = { merchant: audience }
    expect(await outcomeOf(agent, wish)).toMatchObject({ error: 'setup_required' })
    await prove(world, principalId)
    const { mandate_jwt: mandate } = await agent.buy(wish)
    // The merchant learns what it needs to know, not what the person has proven.
    expect(decodeSdJwt(mandate).claims['age_equal_or_over']).toEqual({ 16: true })
    must(await operate(world.app, 'PATCH', `/merchants/${id}`, { min_age: 21 }), 200)
    expect(await outcomeOf(agent, wish)).toMatchObject({
      error: 'setup_required',
      error_uri: `${world.app.baseUrl}/settings/age?age=21`,
    })
    must(await operate(world.app, 'PATCH', `/merchants/${id}`, { min_age: null }), 200)
    expect(decodeSdJwt((await agent.buy(wish)).mandate_jwt).claims).not.toHaveProperty('age_equal_or_over')
  })

  test.each([0, 151, 1.5, '18'])('a merchant cannot need the age %s', async (age) => {
    const fields = { business_name: 'Wine', country: 'DE', accepts_currency: ['EUR'], min_age: age }
    const refused = await operate(world.app, 'POST', '/merchants', {
      merchant_audience: 'https://no.example',
      ...fields,
    })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('min_age')])
  })

  test('the catalog says which age an item needs', async () => {
    const { json } = await exchange<{ items: { min_age?: number }[] }>(
      `${shopOf(world.app)}/.well-known/oid4ac-catalog`,
    )
    expect(json.items.map(({ min_age: age }) => age)).toEqual([18, 18])
    const books = await exchange(`${shopOf(world.app, 'tallow-books')}/.well-known/oid4ac-catalog`)
    expect(books.text).not.toContain('min_age')
  })
})

test('a person is told what is stored about their age, and what they were asked for', async () => {
  const { principalId, email } = await newPrincipal(world.app)
  await prove(world, principalId)
  const { token } = await Person.signIn(world.app, principalId, 'privacy:dsar')
  must(await askRight(world.app, token, 'access'), 200)
  await runJobs(world.app)
  const [mail] = (await outboxOf(world.app, email)).filter(({ data }) => data !== undefined)
  expect(mail?.data?.dump).toMatchObject({
    age_proofs: [{ age: 18, source: 'presentation', issuer: world.issuer.issuer, region: REGION }],
    presentation_requests: [{ purpose: 'age', subject: '18', status: 'verified' }],
  })
})

test('a proof that has ended counts no more, and is deleted a month later', async () => {
  const { agent, principalId } = await buyer()
  await prove(world, principalId)
  await db().query(
    sql`UPDATE age_proofs SET proven_at = proven_at - interval '2 days', expires_at = proven_at - interval '1 day'
      WHERE principal_id = ${principalId}`,
  )
  expect(await outcomeOf(agent)).toMatchObject({ error: 'setup_required' })
  expect(await proofsOf(world.app, principalId)).toMatchObject([{ age: 18, status: 'ended' }])
  await prove(world, principalId)
  expect(await proofsOf(world.app, principalId)).toMatchObject([{ age: 18, status: 'valid' }])
})

/** The gin with its standing offer, as the catalog has it. */
async function ginOffer() {
  const { json } = await exchange<{ items: { sku: string; offer_id: string; offer_digest: string }[] }>(
    `${shopOf(world.app)}/.well-known/oid4ac-catalog`,
  )
  const item = json.items.find(({ sku }) => sku === GIN.sku)
  return { ...gin(world.app), offer_id: item?.offer_id ?? '', offer_digest: item?.offer_digest ?? '' }
}

interface Verification {
  readonly mandate: string
  readonly merchant: string
  /** What is disclosed. */
  readonly claims: readonly string[]
}

async function verifyAt(agent: Agent, { mandate, merchant, claims }: Verification) {
  const { nonce } = must(await exchange<{ nonce: string }>(`${merchant}/nonce`), 200)
  const presentation = await presentMandate(mandate, { agent, merchant, nonce, claims })
  return exchange(`${merchant}/verify-mandate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ presentation, line_items: [GIN] }),
  })
}
