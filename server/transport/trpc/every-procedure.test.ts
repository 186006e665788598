import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  Browser,
  type BrowserAnswer,
  dataOf,
  insertBump,
  insertConsent,
  newPortalPerson,
  refusalOf,
} from '@/test/support/browser'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { installPlatform } from '../../base/platform/container'
import type { TestCardName } from '../../base/platform/processor/sandbox-cards'
import { createPersonsRequest } from '../../credentials/presentations'
import { PORTAL_TENANT_ID } from '../../shared/principals'
import { appRouter } from './router'

/** A person who owns the objects of the tests, with their own browser. */
interface Owner {
  readonly person: Person
  readonly email: string
  readonly browser: Browser
}

let fixture: MoneyFixture
let ada: Browser
let eve: Owner
/** A person whose bank asks for a challenge at every payment. */
let finn: Owner
beforeAll(async () => {
  fixture = await openMoneyFixture()
  const { platform } = fixture
  await newPortalPerson(platform, { id: 'somebody', email: 'somebody@demo.test' })
  await fixture.person({ tenantId: PORTAL_TENANT_ID, email: 'ada@demo.test' })
  eve = await newOwner('eve@demo.test', 'success')
  finn = await newOwner('finn@demo.test', 'authentication_required')
})
beforeEach(async () => {
  ada = new Browser(fixture.platform)
  await ada.signInAsDemo()
})
afterAll(async () => {
  installPlatform(null)
  await fixture.close()
})

async function newOwner(email: string, card: TestCardName): Promise<Owner> {
  const person = await fixture.person({ tenantId: PORTAL_TENANT_ID, email, card })
  return { person, email, browser: await signIn(email) }
}

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(fixture.platform)
  fixture.clock.advance(1)
  await browser.signInByMail(email)
  return browser
}

type Kind = 'query' | 'mutation' | 'subscription'
type Make = () => Promise<string>

// Flat at run time, by dotted name; the types are those of the nested routers.
const flat: Readonly<Record<string, unknown>> = appRouter._def.procedures
const procedures = Object.entries(flat as Readonly<Record<string, { readonly _def: { readonly type: Kind } }>>).map(
  ([name, procedure]) => [name, procedure._def.type] as const,
)
const kindOf = new Map(procedures)

function ask(browser: Browser, procedure: string, input?: unknown): Promise<BrowserAnswer> {
  return kindOf.get(procedure) === 'mutation' ? browser.mutate(procedure, input) : browser.query(procedure, input)
}

/** A procedure whose input names an object; the procedure checks that it belongs to the person. */
interface Named {
  readonly make: Make
  readonly input: (id: string) => unknown
  readonly owner?: () => Owner
  /** 200 for an id that only filters a list, which is then empty; 404 by default. */
  readonly status?: 200
}

const agent: Make = () => fixture.agent(eve.person.principalId)
const consent: Make = () => insertConsent(fixture.platform, eve.person)
const by =
  (member: string, more: object = {}) =>
  (id: string) => ({ [member]: id, ...more })
const byClient = (more: object = {}): Named => ({ make: agent, input: by('client_id', more) })
const askedOf = { make: askedByBank, owner: () => finn }

const named: Readonly<Record<string, Named>> = {
  'approvals.one': { make: consent, input: by('id') },
  'approvals.askWallet': {
    make: consent,
    input: by('authorization_id', {
      shown: { merchant_origin: MERCHANT, amount_minor: 1, currency: 'EUR', items: [] },
    }),
  },
  'approvals.walletAnswer': { make: walletRequest, input: by('request_id') },
  'approvals.decide': { make: consent, input: by('authorization_id', { decision: 'decline' }) },
  'approvals.declineAll': { make: consent, input: (id) => ({ authorization_ids: [id] }), status: 200 },
  'agents.one': byClient(),
  'agents.pause': byClient(),
  'agents.resume': byClient(),
  'agents.revoke': byClient(),
  'agents.rename': byClient({ name: 'Mine now' }),
  'agents.chooseCard': byClient({ card_id: null }),
  'agents.forgetMerchant': { make: remembering, input: by('client_id', { merchant_audience: MERCHANT }) },
  'agents.endAccess': { make: trusted, input: by('client_id', { scope: 'wallet:read' }) },
  'agents.limits': byClient(),
  'agents.saveLimits': byClient({ currency: 'EUR', daily_cap_minor: 1 }),
  'agents.setupToken': { make: connection, input: by('id') },
  'agents.cancelSetupToken': { make: connection, input: by('id') },
  'cards.finishEnrolment': { make: enrolment, input: by('setup_intent_id') },
  'cards.makeDefault': { make: savedCard, input: by('card_id') },
  'cards.remove': { make: savedCard, input: by('card_id') },
  'credentials.offerState': { make: credentialOffer, input: by('id') },
  'credentials.cancelOffer': { make: credentialOffer, input: by('id') },
  'credentials.revoke': { make: issuedCredential, input: by('id') },
  'limits.approveBump': { make: bump, input: by('bump_id') },
  'limits.declineBump': { make: bump, input: by('bump_id') },
  'limits.undoLowering': { make: lowering, input: by('change_id') },
  'merchants.saveRule': {
    make: agent,
    input: by('agent_client_id', { merchant_audience: MERCHANT, verdict: 'allow' }),
  },
  'merchants.previewRule': {
    make: agent,
    input: by('agent_client_id', { merchant_audience: MERCHANT, verdict: null }),
  },
  'notifications.removeDevice': { make: pushDevice, input: by('id') },
  'notifications.testDevice': { make: pushDevice, input: by('id') },
  'payments.list': { make: payingAgent, input: by('agent'), status: 200 },
  'payments.one': { make: payment, input: by('id') },
  'payments.prove': { make: payment, input: by('id') },
  'payments.verifyReceipt': { make: payment, input: by('id') },
  'payments.stepUp': { ...askedOf, input: by('id') },
  'payments.checkStepUp': { ...askedOf, input: by('id') },
  'payments.declineStepUp': { ...askedOf, input: by('id') },
  'payments.answerTestBank': { ...askedOf, input: by('id', { answer: 'refuse' }) },
  'activity.list': { make: payingAgent, input: by('agent'), status: 200 },
  'age.request': { make: ageRequest, input: by('id') },
  'age.withdraw': { make: ageRequest, input: by('id') },
  // Before the person has a passkey, which all later step-ups would require.
  'security.undo': { make: undoable, input: by('change_id') },
  'security.rename': { make: passkey, input: by('id', { name: 'Mine now' }) },
  'security.remove': { make: passkey, input: by('id') },
  'security.endSession': { make: session, input: by('id') },
}

/** Procedures about the signed-in person, whose input names no object of others. */
const ofOneself = [
  'session.me',
  'session.signOutEverywhere',
  'home.overview',
  'approvals.pending',
  'approvals.past',
  'session.changes',
  'agents.list',
  'agents.connect',
  'limits.read',
  'limits.askedCount',
  'limits.save',
  'limits.saveCurrency',
  'limits.removeCurrency',
  'limits.freeze',
  'limits.unfreeze',
  'limits.saveApprovalRule',
  'limits.saveMagicLinkGate',
  'limits.bumps',
  'merchants.read',
  'merchants.one',
  'merchants.search',
  'merchants.saveGate',
  'cards.list',
  'cards.enrolment',
  'cards.testCards',
  'cards.enrolTestCard',
  'cards.beginEnrolment',
  'credentials.list',
  'credentials.offer',
  'payments.parties',
  'payments.spending',
  'payments.stepUps',
  'developers.read',
  'developers.requests',
  'notifications.read',
  'notifications.save',
  'notifications.events',
  'notifications.saveEvents',
  'notifications.contacts',
  'notifications.sendCode',
  'notifications.confirmPhone',
  'notifications.changeEmail',
  'notifications.cancelEmailChange',
  'notifications.sendTest',
  'notifications.settings',
  'notifications.saveSettings',
  'notifications.devices',
  'notifications.addDevice',
  'notifications.keepDevice',
  'notifications.hideDetails',
  'security.stepUpOptions',
  'security.passkeys',
  'security.startRegistration',
  'security.register',
  'security.require',
  'security.recovery',
  'security.makeRecoveryCodes',
  'security.startRecovery',
  'security.sessions',
  'security.activity',
  'security.endOtherSessions',
  'age.read',
  'age.prove',
  'age.remove',
  'privacy.read',
  'privacy.access',
  'privacy.take',
  'privacy.rectify',
  'privacy.restrict',
  'privacy.lift',
  'privacy.object',
  'privacy.erase',
  'welcome.read',
  'welcome.leave',
]

/** Procedures for the holder of a mailed link, signed in or not. */
const ofLinks = ['links.read', 'links.confirm']

describe('every procedure', () => {
  test('every procedure is known to these tests, as one that names something or as one that does not', () => {
    const known = [...Object.keys(named), ...ofOneself, ...ofLinks]
    expect(procedures.map(([name]) => name).toSorted()).toEqual(known.toSorted())
  })

  test.each(procedures.filter(([name]) => !ofLinks.includes(name)))(
    'the procedure %s (%s) answers nobody who is not signed in, whatever is sent',
    async (name, kind) => {
      const stranger = new Browser(fixture.platform)
      const inputs = [undefined, {}, named[name]?.input('unknown')]
      for (const input of inputs) {
        const reply = await ask(stranger, name, input)
        if (kind === 'subscription') expect([reply.status, reply.json['error']]).toEqual([401, 'invalid_token'])
        else {
          expect(reply.status).toBe(401)
          expect(refusalOf(reply)).toMatchObject({ code: 'UNAUTHORIZED', error: 'invalid_token' })
        }
        expect(reply.headers.get('cache-control')).toBe('no-store')
      }
    },
  )

  test.each(procedures.filter(([, kind]) => kind === 'mutation'))(
    'the procedure %s is not done by GET',
    async (name) => {
      expect((await ada.query(name, named[name]?.input('unknown') ?? {})).status).toBe(405)
    },
  )
})

describe('what is somebody else’s', () => {
  test.each(Object.entries(named))(
    'a thing of another person looks to %s like one that never was',
    async (name, { make, input, ...one }) => {
      const id = await make()
      const [foreign, unknown] = [await ask(ada, name, input(id)), await ask(ada, name, input(unlike(id)))]
      expect([foreign.status, unknown.status]).toEqual([one.status ?? 404, one.status ?? 404])
      if (one.status === undefined) {
        expect({ ...refusalOf(foreign), request_id: null }).toEqual({ ...refusalOf(unknown), request_id: null })
      } else expect(listed(foreign)).toEqual(listed(unknown))
      // The object exists, and its owner still has it.
      const { browser } = one.owner?.() ?? eve
      const own = await ask(browser, name, input(id))
      expect(own.status).not.toBe(404)
      expect(own.status).not.toBe(401)
      if (one.status !== undefined) expect(listed(own)).not.toEqual([])
    },
  )
})

/** Returns the entries of a list. */
function listed(reply: BrowserAnswer): unknown {
  const { payments, entries, declined } = dataOf(reply)
  return payments ?? entries ?? declined
}

/** Returns an id of the same form that no object has. */
function unlike(id: string): string {
  const last = id.at(-1) === '0' ? '1' : '0'
  return id.slice(0, -1) + last
}

async function payment(): Promise<string> {
  const { body } = await fixture.settle(await fixture.mandate(eve.person))
  return (JSON.parse(body) as { payment_intent_id: string }).payment_intent_id
}

/** Returns an agent that has paid, and so is in every list. */
async function payingAgent(): Promise<string> {
  await payment()
  return eve.person.agentId
}

async function askedByBank(): Promise<string> {
  const mandate = await fixture.mandate(finn.person)
  await expect(fixture.settle(mandate)).rejects.toMatchObject({ code: 'step_up_required' })
  const [row] = await fixture.platform.db.query<{ id: string }>(
    sql`SELECT id FROM settlements WHERE mandate_id = ${mandate.id}`,
  )
  return String(row?.id)
}

async function walletRequest(): Promise<string> {
  const asked = { subjectId: await consent(), query: { credentials: [] } }
  return (await createPersonsRequest(fixture.wallet(eve.person), { purpose: 'approval', ...asked })).id
}

async function connection(): Promise<string> {
  const plan = { name: 'New one', purpose: '', scope: 'openid oid4ac:payment payment:execute' }
  return String(dataOf(await eve.browser.mutate('agents.connect', plan))['id'])
}

async function credentialOffer(): Promise<string> {
  return String(dataOf(await eve.browser.mutate('credentials.offer', {}))['id'])
}

async function issuedCredential(): Promise<string> {
  const { platform, clock } = fixture
  const id = platform.random.uuid()
  await platform.db.query(
    sql`INSERT INTO issued_credentials (id, configuration, tenant_id, principal_id, issued_at, expires_at)
     VALUES (${id}, 'service_mandate', ${PORTAL_TENANT_ID}, ${eve.person.principalId}, ${clock.now()}, ${clock.now()})`,
  )
  return id
}

async function ageRequest(): Promise<string> {
  const { platform, clock } = fixture
  await platform.db.query(
    sql`INSERT INTO trust_lists (region, issuers, updated_at) VALUES ('EU', '[]', ${clock.now()}) ON CONFLICT DO NOTHING`,
  )
  return String(dataOf(await eve.browser.mutate('age.prove', { age: 18 }))['id'])
}

async function enrolment(): Promise<string> {
  return String(dataOf(await eve.browser.mutate('cards.beginEnrolment', {}))['setup_intent_id'])
}

async function savedCard(): Promise<string> {
  await eve.browser.mutate('cards.enrolTestCard', { number: '4242424242424242' })
  const { cards } = dataOf<{ cards: readonly { id: string }[] }>(await eve.browser.query('cards.list'))
  return String(cards.at(-1)?.id)
}

async function lowering(): Promise<string> {
  const cap = { currency: 'EUR', daily_cap_minor: 90_000 }
  expect((await eve.browser.mutate('limits.save', cap)).status).toBe(200)
  const { changes } = dataOf<{ changes: readonly { id: string }[] }>(await eve.browser.query('limits.read'))
  return String(changes[0]?.id)
}

async function session(): Promise<string> {
  await signIn(eve.email)
  const sessions = dataOf<readonly { id: string; this_one: boolean }[]>(await eve.browser.query('security.sessions'))
  return String(sessions.find(({ this_one: thisOne }) => !thisOne)?.id)
}

async function undoable(): Promise<string> {
  const email = `eve-${fixture.platform.random.uuid()}@demo.test`
  expect((await eve.browser.mutate('notifications.changeEmail', { email })).status).toBe(200)
  const view = dataOf<{ undoable: readonly { id: string }[] }>(await eve.browser.query('security.activity', {}))
  return String(view.undoable[0]?.id)
}

/** Adds a device with the address of a push service that does not exist, on this machine. */
async function pushDevice(): Promise<string> {
  const { platform } = fixture
  const subscription = {
    endpoint: `http://127.0.0.1:65000/${platform.random.uuid()}`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: platform.random.token(16),
    language: 'en',
  }
  return String(dataOf(await eve.browser.mutate('notifications.addDevice', subscription))['id'])
}

async function bump(): Promise<string> {
  return insertBump(fixture.platform, { ...eve.person, agentId: await agent() })
}

async function passkey(): Promise<string> {
  const { platform, clock } = fixture
  const id = Buffer.from(platform.random.bytes(16)).toString('base64url')
  await platform.db.query(
    sql`INSERT INTO passkeys (id, principal_id, public_key, counter, transports, device_type, backed_up, name, created_at)
     VALUES (${id}, ${eve.person.principalId}, '\\x00', 0, '[]', 'multi_device', true, 'Phone', ${clock.now()})`,
  )
  return id
}

/** Returns an agent with a remembered approval for the subject: a merchant, or a set of permissions. */
async function rememberedFor(subject: string): Promise<string> {
  const id = await agent()
  await fixture.platform.db.query(
    sql`INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at, up_to_minor, currency)
        SELECT ${eve.person.principalId}, ${id}, ${subject}, ${fixture.clock.now()}, CASE WHEN merchant THEN 2000 END,
               CASE WHEN merchant THEN 'EUR' END
          FROM (SELECT starts_with(${subject}, 'merchant:') AS merchant) s`,
  )
  return id
}

function remembering(): Promise<string> {
  return rememberedFor(`merchant:${MERCHANT}`)
}

function trusted(): Promise<string> {
  return rememberedFor('wallet:wallet:read')
}
