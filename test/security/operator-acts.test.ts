/** Decisions B11 and C22: what the operator does is an entry of the audit chain, and merchants hear of what concerns them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityText } from '@/components/activity/messages'
import { sql } from '@/server/base/core/sql'
import { operations } from '@/server/operations'
import { verifyChain } from '@/server/shared/audit'
import { newCredential } from '../credentials/issuance-wallet'
import {
  Agent,
  clientAssertion,
  exchange,
  must,
  newKey,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { newRelyingParty } from '../support/certificates'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Body = Record<string, unknown>
const call = (method: string, path: string, body?: unknown) => operate<Body>(app, method, path, body)

interface Entry {
  readonly tenant_id: string
  readonly principal_id: string | null
  readonly actor_kind: string
  readonly payload: string
}

const listActs = () =>
  app.platform.db.query<Entry>(
    sql`SELECT tenant_id, principal_id, actor_kind, payload FROM audit_entries
      WHERE event = 'oid4ac.operator.acted' ORDER BY ts, seq`,
  )

/** What the operator did while `act` ran. */
async function actsOf(act: () => Promise<unknown>) {
  const before = (await listActs()).length
  await act()
  return (await listActs()).slice(before).map(({ payload, ...entry }) => ({
    ...entry,
    payload: JSON.parse(payload) as Body,
  }))
}

const shop = (more: Body = {}) => ({
  merchant_audience: `https://${randomUUID()}.example`,
  business_name: 'Grace Hopper',
  country: 'IE',
  accepts_currency: ['EUR'],
  ...more,
})
const newMerchant = async (more: Body = {}) => must(await call('POST', '/merchants', shop(more)), 201)

const trustList = async () => ({
  issuers: [{ issuer: 'https://issuer.example', algs: ['EdDSA'], jwks: { keys: [(await newKey()).jwk] } }],
})

const entity = async () => ({
  entity_id: `https://${randomUUID()}.example`,
  entity_types: ['openid_relying_party'],
  jwks: { keys: [{ ...(await newKey()).jwk, kid: randomUUID() }] },
})

async function deadJob(): Promise<string> {
  const id = randomUUID()
  const now = app.clock.now()
  await app.platform.db.query(
    sql`INSERT INTO jobs (id, kind, key, payload, state, attempts, run_at, created_at, finished_at)
     VALUES (${id}, 'detach_card', ${id}, '{"card_id":"none"}', 'dead', 9, ${now}, ${now}, ${now})`,
  )
  return id
}

async function currentKid(): Promise<string> {
  const rows = await app.platform.db.query<{ kid: string }>(
    sql`SELECT kid FROM signing_keys WHERE purpose = 'receipt' AND state = 'current'`,
  )
  return rows[0]?.kid ?? ''
}

async function setupIntent(): Promise<string> {
  const { principalId } = await newPrincipal(app)
  const person = await Person.signIn(app, principalId)
  return String(must(await person.call('POST', '/wallet/setup-intent'), 200)['setup_intent_id'])
}

async function paidIntent(): Promise<string> {
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  const agent = await Agent.register(app, principalId)
  const tokens = await agent.buy()
  return String(
    must(await agent.settle(tokens.access_token, tokens.mandate_jwt, randomUUID()), 200)['payment_intent_id'],
  )
}

/** Each operation prepares what it needs and returns the request that changes it. */
const samples: Readonly<Record<string, () => Promise<readonly [method: string, path: string, body?: unknown]>>> = {
  setSwitch: async () => ['PUT', '/switches/federation', { enabled: true }],
  revokeCredential: async () => ['POST', `/credentials/${await newCredential(app)}/revoke`],
  createWalletClient: async () => ['POST', '/wallet-clients', { name: 'Bank', jwks: { keys: [(await newKey()).jwk] } }],
  createPrincipal: async () => ['POST', '/principals', { wallet_client_id: 'portal', email: 'grace@hopper.example' }],
  resetPasskeys: async () => ['POST', `/principals/${(await newPrincipal(app)).principalId}/passkeys/reset`],
  createMerchant: async () => ['POST', '/merchants', shop({ contact_email: 'grace@hopper.example' })],
  updateMerchant: async () => ['PATCH', `/merchants/${String((await newMerchant())['id'])}`, { country: 'DE' }],
  saveTrustList: async () => ['PUT', '/trust-lists/EU', await trustList()],
  deleteTrustList: async () => {
    must(await call('PUT', '/trust-lists/US', await trustList()), 200)
    return ['DELETE', '/trust-lists/US']
  },
  createSubordinate: async () => ['POST', '/federation/subordinates', await entity()],
  updateSubordinate: async () => {
    const { entity_id } = must(await call('POST', '/federation/subordinates', await entity()), 201)
    return ['PATCH', `/federation/subordinates/${encodeURIComponent(String(entity_id))}`, { status: 'suspended' }]
  },
  revokeTrustMark: async () => {
    must(await call('PUT', '/switches/federation', { enabled: true }), 200)
    const terms = { ...(await entity()), trust_mark_ids: ['https://marks.example/verified'] }
    must(await call('POST', '/federation/subordinates', terms), 201)
    const mark = new URLSearchParams({ sub: terms.entity_id, trust_mark_id: 'https://marks.example/verified' })
    must(await exchange(`${app.baseUrl}/federation/trust-mark?${mark}`), 200)
    return ['POST', `/federation/trust-mark/revoke?${mark}`]
  },
  retryJob: async () => ['POST', `/jobs/${await deadJob()}/retry`],
  rotateSigningKeys: async () => ['POST', '/signing-keys/rotate', { purpose: 'receipt' }],
  blockSigningKey: async () => ['POST', `/signing-keys/${await currentKid()}/block`],
  createSandboxPrincipal: async () => ['POST', '/sandbox/principals', { email: 'ada@hopper.example' }],
  createSandboxSetupToken: async () => [
    'POST',
    '/sandbox/setup-tokens',
    { principal_id: (await newPrincipal(app)).principalId },
  ],
  openSandboxWalletSession: async () => [
    'POST',
    '/sandbox/wallet-sessions',
    { principal_id: (await newPrincipal(app)).principalId, scope: 'wallet:read', dpop_jwk: (await newKey()).jwk },
  ],
  confirmSandboxSetupIntent: async () => ['POST', '/sandbox/setup-intents', { setup_intent_id: await setupIntent() }],
  readEvidenceAsOperator: async () => ['GET', `/payments/${await paidIntent()}/evidence`],
  saveRelyingParty: async () => ['PUT', '/relying-party', await newRelyingParty()],
  deleteRelyingParty: async () => {
    must(await call('PUT', '/relying-party', await newRelyingParty()), 200)
    return ['DELETE', '/relying-party']
  },
  moveSandboxDispute: async () => [
    'POST',
    '/sandbox/disputes',
    { payment_intent_id: await paidIntent(), dispute_status: 'pending' },
  ],
}

const ofOperator = operations
  .map(({ endpoint }) => endpoint)
  .filter(({ access }) => access.actor === 'operator' || access.actor === 'backend')
/** What wallet clients ask for as well, of which the person's page or their wallet app tells. */
const untold = ['createCredentialOffer', 'createPresentationRequest', 'verifyPresentation']
/** What changes something, and what shows the operator what a person bought. */
const told = ofOperator
  .filter(({ method, operationId }) => method !== 'GET' || operationId === 'readEvidenceAsOperator')
  .map(({ operationId }) => operationId)
  .filter((operationId) => !untold.includes(operationId))

/** Asks for an operation, below /operator unless it is elsewhere. */
function ask(operationId: string, method: string, path: string, body?: unknown) {
  const isElsewhere = ofOperator.some((one) => one.operationId === operationId && !one.path.startsWith('/operator/'))
  if (!isElsewhere) return call(method, path, body)
  return exchange(app.baseUrl + path, { method, headers: { authorization: `Bearer ${app.operatorToken}` } })
}

describe('an act of the operator', () => {
  test.each(told)('B11 %s leaves one entry that says what changed, and no personal data', async (operationId) => {
    const sample = samples[operationId] ?? expect.fail(`${operationId} has no sample here`)
    const [method, path, body] = await sample()
    const acts = await actsOf(async () => {
      const { status, text } = await ask(operationId, method, path, body)
      expect([200, 201, 204], text).toContain(status)
    })
    expect(acts).toMatchObject([{ actor_kind: 'operator', payload: { what: operationId, means: 'operator' } }])
    const [{ payload } = expect.fail('no entry')] = acts
    expect(Object.keys(payload).toSorted()).toEqual(['from', 'means', 'subject_id', 'to', 'what'])
    expect(JSON.stringify(payload).toLowerCase()).not.toMatch(/hopper|grace|sandbox person|bank/)
  })

  test('B11 what the operator does with a person has words in their activity', async () => {
    for (const { principal_id: principalId, payload } of await listActs()) {
      const { what } = JSON.parse(payload) as Body
      expect(principalId === null || String(what) in activityText.details, String(what)).toBe(true)
    }
  })

  test('B11 reads of the operator leave no entry', async () => {
    const acts = await actsOf(async () => {
      const paths = ['/switches', '/jobs', '/merchants', '/retention', '/trust-lists', '/relying-party']
      for (const path of [...paths, '/federation/subordinates']) expect((await call('GET', path)).status).toBe(200)
      const headers = { authorization: `Bearer ${app.operatorToken}` }
      expect((await fetch(`${app.baseUrl}/metrics`, { headers })).status).toBe(200)
    })
    expect(acts).toEqual([])
    expect(
      ofOperator
        .map(({ operationId }) => operationId)
        .filter((operationId) => !told.includes(operationId) && !untold.includes(operationId))
        .toSorted(),
    ).toEqual([
      'listJobs',
      'listMerchants',
      'listSubordinates',
      'listSwitches',
      'listTrustLists',
      'readMetrics',
      'readPresentationResult',
      'readRelyingParty',
      'readRetention',
    ])
  })

  test('B11 refused acts of the operator leave no entry', async () => {
    const taken = await newMerchant()
    const { id } = await newMerchant()
    const { principalId } = await newPrincipal(app)
    const acts = await actsOf(async () => {
      for (const [method, path, body, status] of [
        ['PUT', '/switches/federation', { enabled: 'x' }, 422],
        ['PATCH', `/merchants/${String(id)}`, { merchant_audience: taken['merchant_audience'], country: 'DE' }, 409],
        ['PATCH', '/merchants/nothing', { country: 'DE' }, 404],
        ['POST', '/merchants', shop({ merchant_audience: taken['merchant_audience'] }), 409],
        ['POST', '/principals', { wallet_client_id: 'nobody' }, 404],
        ['POST', '/principals/nobody/passkeys/reset', undefined, 404],
        ['PUT', '/trust-lists/EU', { issuers: [{ issuer: 'http://10.0.0.1', algs: ['EdDSA'] }] }, 422],
        ['DELETE', '/trust-lists/nowhere', undefined, 404],
        ['POST', '/jobs/nothing/retry', undefined, 404],
        ['POST', '/signing-keys/nothing/block', undefined, 404],
        ['POST', '/sandbox/principals', { limits: { daily_cap_minor: -5 } }, 422],
        ['POST', '/sandbox/setup-tokens', { principal_id: principalId, scope: 'all' }, 400],
        ['POST', '/sandbox/disputes', { payment_intent_id: 'nothing', dispute_status: 'won' }, 404],
      ] as const) {
        expect([path, (await call(method, path, body)).status]).toEqual([path, status])
      }
    })
    expect(acts).toEqual([])
  })

  test('B11 entries of what belongs to no tenant are in the chain of the portal, others with their person', async () => {
    const wallet = await newWalletClient(app)
    const created = await actsOf(() => call('POST', '/principals', { wallet_client_id: wallet.clientId }))
    expect(created).toMatchObject([{ tenant_id: wallet.clientId, principal_id: expect.any(String) }])
    const set = await actsOf(() => call('PUT', '/switches/federation', { enabled: false }))
    expect(set).toMatchObject([
      { tenant_id: 'portal', principal_id: null, payload: { from: true, to: false, subject_id: 'federation' } },
    ])
  })

  test('B11 keys are named by their thumbprints and kids', async () => {
    const key = await newKey()
    const [act] = await actsOf(() => call('POST', '/wallet-clients', { name: 'B', jwks: { keys: [key.jwk] } }))
    expect(act?.payload).toMatchObject({ from: null, to: { key_thumbprints: [key.jkt], scope: ['audit:read'] } })
    const trusted = { issuers: [{ issuer: 'https://issuer.example', algs: ['EdDSA'], jwks: { keys: [key.jwk] } }] }
    const [list] = await actsOf(() => call('PUT', '/trust-lists/APAC', trusted))
    expect(list?.payload).toMatchObject({ from: null, to: [{ key_thumbprints: [key.jkt] }], subject_id: 'APAC' })
    const before = await currentKid()
    const [rotation] = await actsOf(() => call('POST', '/signing-keys/rotate', { purpose: 'receipt' }))
    const after = await currentKid()
    expect(rotation?.payload).toMatchObject({ from: [before], to: [after] })
    const [block] = await actsOf(() => call('POST', `/signing-keys/${after}/block`))
    expect(block?.payload).toMatchObject({ from: 'current', to: 'blocked', subject_id: after })
  })

  test('B11 the range of a tenant holds them, and verifies', async () => {
    const wallet = await newWalletClient(app)
    const range = async () => {
      const headers = { authorization: `PrivateKeyJwt ${await clientAssertion(app, wallet)}` }
      const url = `${app.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`
      return must(await exchange<{ entries: never[]; checkpoint: string | null }>(url, { headers }), 200)
    }
    expect(await range()).toMatchObject({ entries: [], checkpoint: null })
    await newPrincipal(app, { wallet_client_id: wallet.clientId })
    const { entries } = await range()
    expect(entries).toMatchObject([{ seq: 1, event: 'oid4ac.operator.acted' }, { event: 'oid4ac.mandate.issued' }])
    expect(verifyChain(entries).intact).toBe(true)
  })
})

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

async function mailsTo(...addresses: string[]): Promise<Mail[]> {
  const outbox = `${app.baseUrl}/sandbox/outbox`
  const { json } = await exchange<{ messages: Mail[] }>(outbox, { headers: { accept: 'application/json' } })
  return json.messages.filter(({ to }) => addresses.includes(to))
}

describe('the contact of a merchant', () => {
  const address = () => `${randomUUID()}@shop.example`

  test('C22 is mailed at once what changed of account and fee, and the entry says from what to what', async () => {
    const contact = address()
    const { id } = await newMerchant({ contact_email: contact, connected_account_id: 'acct_old' })
    expect(await mailsTo(contact)).toEqual([])
    const change = { connected_account_id: 'acct_new', max_application_fee_bps: 250 }
    const acts = await actsOf(() => call('PATCH', `/merchants/${String(id)}`, change))
    expect(acts).toMatchObject([
      {
        tenant_id: 'portal',
        payload: {
          what: 'updateMerchant',
          from: { connected_account_id: 'acct_old', max_application_fee_bps: 1000 },
          to: change,
          subject_id: id,
        },
      },
    ])
    const [mail, ...more] = await mailsTo(contact)
    expect(more).toEqual([])
    expect(mail?.text).toMatch(/acct_old, now acct_new[^]*10\.00 %, now 2\.50 %/)
  })

  test('C22 is mailed at once which entity of the federation has the keys that count, and when none has', async () => {
    const contact = address()
    const { id } = await newMerchant({ contact_email: contact })
    const tied = `https://${randomUUID()}.example`
    for (const federation_entity_id of [tied, null]) {
      must(await call('PATCH', `/merchants/${String(id)}`, { federation_entity_id }), 200)
    }
    const texts = (await mailsTo(contact)).map(({ text }) => text)
    expect(texts).toHaveLength(2)
    for (const change of [`none, now ${tied}`, `${tied}, now none`]) {
      expect(texts).toContainEqual(expect.stringContaining(`- Federation entity whose keys count: ${change}\n`))
    }
  })

  test('C22 is mailed at the old and the new address when the address changes, of which the entry tells neither', async () => {
    const [old, fresh] = [address(), address()]
    const { id } = await newMerchant({ contact_email: old })
    const moved = await actsOf(() => call('PATCH', `/merchants/${String(id)}`, { contact_email: fresh }))
    expect(moved[0]?.payload).toMatchObject({ from: { contact_email: 'set' }, to: { contact_email: 'changed' } })
    const mails = await mailsTo(old, fresh)
    expect(mails.map(({ to }) => to).toSorted()).toEqual([old, fresh].toSorted())
    expect(mails.some(({ text }) => text.includes(old) || text.includes(fresh))).toBe(false)
    const ended = await actsOf(() => call('PATCH', `/merchants/${String(id)}`, { contact_email: null }))
    expect(ended[0]?.payload).toMatchObject({ from: { contact_email: 'set' }, to: { contact_email: null } })
    expect(await mailsTo(fresh)).toHaveLength(2)
  })

  test('C22 is not mailed about other changes, values that stay, and refused changes', async () => {
    const contact = address()
    const { id } = await newMerchant({ contact_email: contact, connected_account_id: 'acct_same' })
    const path = `/merchants/${String(id)}`
    for (const change of [
      { business_name: 'Another' },
      { verification_status: 'suspended' },
      { connected_account_id: 'acct_same', max_application_fee_bps: 1000, contact_email: contact },
    ]) {
      expect((await call('PATCH', path, change)).status).toBe(200)
    }
    const taken = (await newMerchant())['merchant_audience']
    const refused = { connected_account_id: 'acct_bad', merchant_audience: taken }
    expect((await call('PATCH', path, refused)).status).toBe(409)
    expect((await call('PATCH', path, { contact_email: 'nonsense' })).status).toBe(422)
    expect(await mailsTo(contact)).toEqual([])
  })

  test('C22 is shown to the operator alone', async () => {
    const contact = address()
    const created = await newMerchant({ contact_email: contact, verification_status: 'verified' })
    expect(created['contact_email']).toBe(contact)
    expect((await call('GET', '/merchants?page_size=100')).text).toContain(contact)
    const open = `${app.baseUrl}/discovery/merchants`
    for (const url of [`${open}?page_size=100`, `${open}/${String(created['id'])}/catalog-preview`]) {
      expect((await exchange(url)).text).not.toContain(contact)
    }
  })
})
