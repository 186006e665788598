/**
 * Decisions B5, B6 and B7: what may let agents pay more is confirmed by the person, and nothing else is. Every operation
 * and every mutation of the portal is sorted here, so that a new one fails until somebody has decided what it is.
 */
import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shownOf } from '@/components/approvals/shown'
import { sql } from '@/server/base/core/sql'
import { operations } from '@/server/operations'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import type { ConsentView } from '@/server/surfaces/portal'
import { appRouter } from '@/server/transport/trpc/router'
import { Browser, dataOf, insertBump, insertConsent, newPortalPerson, refusalOf } from '../support/browser'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '../support/money-fixture'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture(undefined, { SIGN_IN_LINKS_PER_MINUTE: '1000' })
  await newPortalPerson(fixture.platform, { id: 'somebody', email: 'somebody@demo.test' })
})
afterAll(() => fixture.close())

/** A person with a browser that a mailed link has signed in. */
interface Home {
  readonly person: Person
  readonly browser: Browser
}

async function newHome(): Promise<Home> {
  const email = `${fixture.platform.random.uuid()}@demo.test`
  const person = await fixture.person({ tenantId: PORTAL_TENANT_ID, email })
  const browser = new Browser(fixture.platform)
  fixture.clock.advance(1)
  await browser.signInByMail(email)
  return { person, browser }
}

/** Prepares what the mutation is about, and returns what is sent. */
type Prepare = (home: Home) => unknown

const must = async (home: Home, procedure: string, input?: unknown): Promise<Record<string, unknown>> => {
  const reply = await home.browser.mutate(procedure, input)
  expect([procedure, reply.status, reply.text.slice(0, 300)]).toEqual([procedure, 200, expect.anything()])
  return dataOf(reply)
}
const LIMITS = { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: 2_000 }
const inDollars = (minor: number) => ({
  currency: 'USD',
  daily_cap_minor: minor,
  weekly_cap_minor: null,
  monthly_cap_minor: null,
  single_txn_cap_minor: null,
})
const RULE = { merchant_audience: MERCHANT, agent_client_id: null }
const PLAN = { name: 'New one', purpose: '', scope: 'openid oid4ac:payment payment:execute' }
const byClient = ({ person }: Home) => ({ client_id: person.agentId })
const cardOf = async ({ browser }: Home) => {
  const { cards } = dataOf<{ cards: readonly { id: string }[] }>(await browser.query('cards.list'))
  return { card_id: cards[0]?.id }
}
/** A second card, which is not the default. */
const spareCard = async (home: Home) => {
  const { browser } = home
  const { cards } = dataOf<{ cards: readonly { id: string; is_default: boolean }[] }>(await browser.query('cards.list'))
  const [first] = cards
  const spare = cards.find((card) => !card.is_default)
  if (spare !== undefined || first === undefined) return { card_id: spare?.id }
  const id = fixture.platform.random.uuid()
  await fixture.platform.db.query(
    sql`INSERT INTO card_mandates (SELECT (jsonb_populate_record(m, jsonb_build_object('id', ${id}::text, 'is_default', false,
          'setup_intent_id', ${id}::text, 'payment_method_id', ${id}::text))).* FROM card_mandates m WHERE m.id = ${first.id})`,
  )
  return { card_id: id }
}
const subscription = () => ({
  endpoint: `http://127.0.0.1:65000/${fixture.platform.random.uuid()}`,
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: fixture.platform.random.token(16),
  language: 'en',
})

/** How each mutation that may let agents pay more, or takes over or silences the person's contacts, is asked to do so. */
const loosening: Readonly<Record<string, Prepare>> = {
  'approvals.decide': async ({ person, browser }) => {
    const id = await insertConsent(fixture.platform, person)
    const view = dataOf<ConsentView>(await browser.query('approvals.one', { id }))
    return { authorization_id: id, decision: 'approve', shown: shownOf(view, view.ask_above_minor) }
  },
  'limits.approveBump': async ({ person }) => ({ bump_id: await insertBump(fixture.platform, person) }),
  'limits.save': async (home) => {
    await must(home, 'limits.save', LIMITS)
    return { ...LIMITS, daily_cap_minor: 5_001 }
  },
  'limits.saveCurrency': async (home) => {
    await must(home, 'limits.save', LIMITS)
    return inDollars(1)
  },
  'agents.saveLimits': async (home) => {
    await must(home, 'agents.saveLimits', { ...byClient(home), ...LIMITS })
    return { ...byClient(home), currency: 'EUR' }
  },
  'merchants.saveRule': async (home) => {
    await must(home, 'merchants.saveRule', { ...RULE, verdict: 'deny' })
    return { ...RULE, verdict: 'allow' }
  },
  'merchants.saveGate': async (home) => {
    await must(home, 'merchants.saveGate', { only_listed: true })
    return { only_listed: false }
  },
  'limits.saveApprovalRule': () => ({ approval_rule: 'above_limits' }),
  'limits.saveMagicLinkGate': async (home) => {
    await must(home, 'limits.saveMagicLinkGate', { magic_link_gate: true })
    return { magic_link_gate: false }
  },
  'agents.connect': () => PLAN,
  'agents.chooseCard': async (home) => ({ ...byClient(home), ...(await spareCard(home)) }),
  'credentials.offer': () => ({}),
  'cards.enrolTestCard': () => ({ number: '4242424242424242' }),
  'cards.beginEnrolment': () => ({}),
  'cards.makeDefault': cardOf,
  'notifications.save': () => ({ email_enabled: false }),
  'notifications.saveEvents': () => ({ muted: ['payments:email'] }),
  'notifications.saveSettings': () => ({ quiet_hours: { from: '00:00', until: '23:59', requests: true } }),
  'notifications.changeEmail': () => ({ email: 'another@demo.test' }),
  'notifications.addDevice': subscription,
  'security.startRegistration': () => ({}),
  'limits.unfreeze': async (home) => {
    await must(home, 'limits.freeze')
    return {}
  },
  'agents.resume': async (home) => {
    await must(home, 'agents.pause', byClient(home))
    return byClient(home)
  },
  'privacy.lift': async (home) => {
    await must(home, 'privacy.restrict', {})
    return {}
  },
  'age.prove': async () => {
    await fixture.platform.db.query(
      sql`INSERT INTO trust_lists (region, issuers, updated_at) VALUES ('EU', '[]', ${fixture.clock.now()}) ON CONFLICT DO NOTHING`,
    )
    return { age: 18 }
  },
}

/** How each mutation is asked that only ever takes something away from agents, sessions or channels. */
const tightening: Readonly<Record<string, Prepare>> = {
  'approvals.declineAll': async ({ person }) => ({
    authorization_ids: [await insertConsent(fixture.platform, person)],
  }),
  'limits.declineBump': async ({ person }) => ({ bump_id: await insertBump(fixture.platform, person) }),
  'limits.freeze': () => undefined,
  'limits.removeCurrency': async (home) => {
    await must(home, 'limits.save', LIMITS)
    await must(home, 'limits.saveCurrency', inDollars(1))
    return { currency: 'USD' }
  },
  'agents.pause': byClient,
  'agents.revoke': byClient,
  'agents.cancelSetupToken': async (home) => ({ id: (await must(home, 'agents.connect', PLAN))['id'] }),
  'agents.forgetMerchant': async (home) => {
    await remember(home, `merchant:${MERCHANT}`)
    return { ...byClient(home), merchant_audience: MERCHANT }
  },
  'agents.endAccess': async (home) => {
    await remember(home, 'wallet:wallet:read')
    return { ...byClient(home), scope: 'wallet:read' }
  },
  'cards.remove': cardOf,
  'credentials.cancelOffer': async (home) => ({ id: (await must(home, 'credentials.offer', {}))['id'] }),
  'credentials.revoke': async ({ person }) => {
    const id = fixture.platform.random.uuid()
    const now = fixture.clock.now()
    await fixture.platform.db.query(
      sql`INSERT INTO issued_credentials (id, configuration, tenant_id, principal_id, issued_at, expires_at)
       VALUES (${id}, 'service_mandate', ${PORTAL_TENANT_ID}, ${person.principalId}, ${now}, ${now})`,
    )
    return { id }
  },
  'notifications.removeDevice': async (home) => ({
    id: (await must(home, 'notifications.addDevice', subscription()))['id'],
  }),
  'notifications.cancelEmailChange': async (home) => {
    await must(home, 'notifications.changeEmail', { email: `${fixture.platform.random.uuid()}@demo.test` })
    return undefined
  },
  'privacy.restrict': () => ({}),
  'privacy.object': () => ({}),
  'security.endOtherSessions': () => undefined,
  'session.signOutEverywhere': () => undefined,
}

/** Tightening whose object only other suites can make; they show that it needs no confirmation. */
const tighteningElsewhere = ['security.endSession', 'age.withdraw', 'age.remove', 'payments.declineStepUp']

/** What lets no agent pay more, but hands out or ends what is the person's alone: confirmed too. */
const confirmedForThemselves = [
  'privacy.access',
  'privacy.take',
  'privacy.rectify',
  'privacy.erase',
  'security.remove',
  'security.require',
  'security.makeRecoveryCodes',
  'security.undo',
]

/** What loosens, and is proven by something else than a step-up. */
const provenOtherwise: Readonly<Record<string, string>> = {
  'approvals.askWallet': 'a presentation from the wallet app',
  'cards.finishEnrolment': 'the enrolment was confirmed when it began',
  'security.register': 'the registration was confirmed when it began, with a passkey where there is one by now',
  'security.startRecovery': 'a recovery code, in a session that was opened just now',
  'notifications.confirmPhone': 'the code on the new phone, whose number was confirmed',
  'limits.undoLowering': 'the session that lowered, for thirty seconds, back to what was',
  'payments.checkStepUp': 'the bank of the card',
  'payments.answerTestBank': 'the bank of the card',
  'links.confirm': 'the token of a mailed link',
}

/** What changes nothing that agents, sessions or channels may do. */
const neutral = [
  'agents.rename',
  'links.read',
  'notifications.hideDetails',
  'notifications.keepDevice',
  'notifications.sendCode',
  'notifications.sendTest',
  'notifications.testDevice',
  'security.rename',
  'security.stepUpOptions',
  'welcome.leave',
]

async function remember({ person }: Home, subject: string): Promise<void> {
  const isMerchant = subject.startsWith('merchant:')
  await fixture.platform.db.query(
    sql`INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at, up_to_minor, currency)
     VALUES (${person.principalId}, ${person.agentId}, ${subject}, ${fixture.clock.now()},
             ${isMerchant ? 2_000 : null}::bigint, ${isMerchant ? 'EUR' : null})`,
  )
}

/** The mailed link was followed an hour ago; the session has been in use since. */
async function age({ person }: Home): Promise<void> {
  const before = new Date(fixture.clock.now().getTime() - 3_600_000)
  await fixture.platform.db.query(
    sql`UPDATE portal_sessions SET created_at = ${before} WHERE principal_id = ${person.principalId}`,
  )
}

async function addPasskey({ person }: Home): Promise<void> {
  const id = Buffer.from(fixture.platform.random.bytes(16)).toString('base64url')
  await fixture.platform.db.query(
    sql`INSERT INTO passkeys (id, principal_id, public_key, counter, transports, device_type, backed_up, name, created_at)
     VALUES (${id}, ${person.principalId}, '\\x00', 0, '[]', 'multi_device', true, 'Phone', ${fixture.clock.now()})`,
  )
}

interface ProcedureDefinition {
  readonly _def: { readonly type: string; readonly meta?: { readonly stepUp?: string } }
}
// Flat at run time, by dotted name; the types are those of the nested routers.
const flat: unknown = appRouter._def.procedures
const mutations = Object.entries(flat as Readonly<Record<string, ProcedureDefinition>>).filter(
  ([, { _def }]) => _def.type === 'mutation',
)

describe('every mutation of the portal', () => {
  test('B5 every mutation of the portal is sorted, and its contract asks for a confirmation exactly where it loosens', () => {
    const confirmed = [...Object.keys(loosening), ...confirmedForThemselves]
    const free = [...Object.keys(tightening), ...tighteningElsewhere, ...Object.keys(provenOtherwise), ...neutral]
    expect(mutations.map(([name]) => name).toSorted()).toEqual([...confirmed, ...free].toSorted())
    const asking = mutations.flatMap(([name, { _def }]) => (_def.meta?.stepUp === undefined ? [] : [name]))
    expect(asking.toSorted()).toEqual(confirmed.toSorted())
  })

  test.each(Object.entries(loosening))(
    'B5 %s loosens, and needs a fresh link, or the passkey of a person who has one',
    async (name, prepare) => {
      const home = await newHome()
      const input = await prepare(home)
      await age(home)
      const late = await home.browser.mutate(name, input)
      expect([late.status, refusalOf(late)]).toMatchObject([
        403,
        { error: 'step_up_required', members: { way: 'sign_in' } },
      ])
      await addPasskey(home)
      const mailbox = await home.browser.mutate(name, input)
      expect([mailbox.status, refusalOf(mailbox)]).toMatchObject([
        403,
        { error: 'step_up_required', members: { way: 'passkey' } },
      ])
    },
  )

  test.each(Object.entries(tightening))(
    'B5 %s tightens, and takes any session, also of a person who has a passkey',
    async (name, prepare) => {
      const home = await newHome()
      const input = await prepare(home)
      await age(home)
      await addPasskey(home)
      const reply = await home.browser.mutate(name, input)
      expect([reply.status, reply.text]).toEqual([200, expect.anything()])
    },
  )
})

/** Operations of a wallet token that may let agents pay more, or change who the person is to the service. */
const looseningOperations = [
  'approveLimitBump',
  'confirmSetupIntent',
  'createSetupIntent',
  'decideConsent',
  'makeDefaultCard',
  'rectify',
  'resumeAgent',
  'saveAgentLimits',
  'saveLimits',
  'saveMerchantGate',
  'saveMerchantRule',
  'saveNotifications',
  'unfreezeSpending',
]
const tighteningOperations = [
  'declineLimitBump',
  'freezeSpending',
  'objectToMarketing',
  'pauseAgent',
  'removeCard',
  'restrictProcessing',
  'revokeAgent',
]
/** Rights over one's data, which let no agent pay more; the person approves their scope once for an agent. */
const ofOneselfOperations = ['erase', 'exportData', 'requestAccess']

/** What strangers may send, and what each of them has to prove before it changes anything. */
const provenByStrangers: Readonly<Record<string, string>> = {
  receiveRcsCallback: 'the signature of the carrier, and the token of a message to a phone that is in use for a day',
  receiveProcessorWebhook: 'the signature of the processor',
  registerClient: 'a setup token, for which the person confirmed the agent',
  takeWalletResponse: 'a presentation of the wallet app for one request',
  serveRequestObject: 'the number of one request',
  issueCredential: 'the code of an offer, for which the person confirmed it',
  createCredentialNonce: 'nothing: a nonce opens nothing',
  readTrustMarkStatus: 'nothing: it reads',
  chargeMandate: 'a presentation of a mandate',
  verifyMandate: 'a presentation of a mandate',
  verifyMandateAtSandboxMerchant: 'a presentation of a mandate',
  placeSandboxOrder: 'nothing: an order is paid with a mandate',
  reportSandboxSettlement: 'a receipt of the order',
}

describe('every operation over HTTP', () => {
  const writing = operations.map(({ endpoint }) => endpoint).filter(({ method }) => method !== 'GET')
  const namesOf = (actor: string) =>
    writing.flatMap(({ access, operationId }) => (access.actor === actor ? [operationId] : [])).toSorted()

  test('B5 every operation of a wallet token is sorted, and its contract refuses a stale token exactly where it loosens', () => {
    const sorted = [...looseningOperations, ...tighteningOperations, ...ofOneselfOperations]
    expect(namesOf('wallet')).toEqual(sorted.toSorted())
    const refusing = writing.filter(({ refusals = [] }) => refusals.includes('insufficient_user_authentication'))
    expect(refusing.map(({ operationId }) => operationId).toSorted()).toEqual(looseningOperations)
  })

  test('B5 what needs no token of a person proves something else, and no client but a wallet client changes a rule', () => {
    expect(namesOf('anonymous')).toEqual(Object.keys(provenByStrangers).toSorted())
    expect(namesOf('agent')).toEqual(['settle'])
    const ofAgents = writing.flatMap(({ access, operationId }) =>
      access.actor === 'client' && access.kind !== 'wallet' ? [operationId] : [],
    )
    expect(ofAgents.toSorted()).toEqual(['introspectToken', 'issueToken', 'pushAuthorizationRequest', 'revokeToken'])
  })
})
