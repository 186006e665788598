/** Decisions D61, D63 and D64: what is left of a person who was erased, seen from outside. */
import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { shownOf, subjectOf } from '@/components/approvals/shown'
import { sql } from '@/server/base/core/sql'
import { sha256Base64url } from '@/server/base/protocol/encoding'
import type { PasskeyCreation } from '@/server/identity/passkeys/contract'
import { jobHandlers } from '@/server/jobs'
import { readMessages } from '@/server/shared/notifications'
import { runDueJobs } from '@/server/shared/queue'
import { readRequestLog } from '@/server/shared/request-log'
import type { ConsentView } from '@/server/surfaces/portal'
import { addWalletOnPage, configureRegion, openWalletRequest, present } from '../credentials/approval-world'
import { newOffer } from '../credentials/issuance-wallet'
import { bind } from '../evidence/purchases'
import { walletTokens } from '../oauth/setup'
import {
  Agent,
  type Answer,
  clientAssertion,
  dpopProof,
  exchange,
  must,
  newKey,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
  REDIRECT_URI,
  statusOfMandate,
  type TokenAnswer,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, type BrowserAnswer, dataOf, mailedToken } from '../support/browser'
import { createPasskey, type PasskeyInBrowser } from '../support/passkey-holder'
import { type PushService, startPushService } from '../support/push-service'
import { answerWithOwn, ownCredential, start as startAgeProof } from '../wallet/age-world'
import { ask } from './requests'
import { holdsAny, scanDatabase } from './scan'
import { readStored, type StoredTable } from './stored-rows'

const EMAIL = 'Quixotina.Vandermolen@canary-mail.test'
const NEW_EMAIL = 'quixotina.second@canary-mail.test'
const NAME = 'Quixotina Vandermölen'
const PHONE = '+353871239876'
const NEW_PHONE = '+353871239875'
const needles = ['quixotina', 'vandermölen', 'vandermolen', 'canary-mail', '35387123987']

interface Erased {
  readonly status: string
  readonly request_id: string
  readonly redacted: readonly { readonly table: string; readonly columns: readonly string[] }[]
  readonly agents_revoked: number
  readonly families_revoked: number
}

/** All features one after the other take their time where other suites run beside. */
const SEED_MILLISECONDS = 180_000

let app: App
let log = ''
let subject: Subject
let before: readonly string[]
let stored: readonly StoredTable[]
let pushes: PushService
let erased: Erased
let chainBefore: readonly string[]

interface Subject {
  readonly principalId: string
  readonly browser: Browser
  readonly agent: Agent
  readonly walletToken: string
  readonly person: Person
  readonly bought: { readonly access_token: string; readonly refresh_token: string; readonly mandate_jwt: string }
}

beforeAll(async () => {
  const write = fs.writeSync
  vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, ...rest: unknown[]) => {
    if (fd !== 1) return (write as (...args: unknown[]) => number)(fd, ...rest)
    log += String(rest[0])
    return Buffer.byteLength(String(rest[0]))
  }) as typeof fs.writeSync)
  pushes = await startPushService()
  app = await startApp({ env: { LOG_LEVEL: 'debug' } })
  subject = await useEverything()
  stored = await readStored(app.platform, subject.principalId)
  before = await scanDatabase(app.platform, needles)
  chainBefore = await auditRows()
  const asked = await subject.person.call<Erased>('POST', '/privacy/dsar/erasure')
  erased = must(asked, 200)
}, SEED_MILLISECONDS)
afterAll(async () => {
  await app.close()
  await pushes.close()
  vi.restoreAllMocks()
})

const errorOf = (answer: { status: number; json: object }) => [
  answer.status,
  (answer.json as { error?: unknown }).error,
]

const query = <Row>(statement: ReturnType<typeof sql>) => app.platform.db.query<Row>(statement)

/** Every audit entry, in full. */
async function auditRows(): Promise<readonly string[]> {
  const rows = await query<{ entry: string }>(sql`SELECT e::text AS entry FROM audit_entries e ORDER BY tenant_id, seq`)
  return rows.map(({ entry }) => entry)
}

/** A browser that says what it is, as those of people do. */
class NamedBrowser extends Browser {
  override open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0')
    return super.open(path, { ...init, headers })
  }
}

async function signIn(email: string): Promise<Browser> {
  const browser = new NamedBrowser(app.platform)
  app.clock.advance({ seconds: 1 })
  await browser.post('/api/auth/sign-in-link', { email })
  expect((await browser.confirm(await mailedToken(app.platform, email))).status).toBe(200)
  return browser
}

/** What a press in the portal answered; throws when it was refused. */
function pressed<T>(answer: BrowserAnswer): T {
  if (answer.status !== 200) throw new Error(answer.text)
  return dataOf<T>(answer)
}

/** One person, named by canaries, uses every feature that stores something. */
async function useEverything(): Promise<Subject> {
  const { principalId } = await newPrincipal(app, { rcs_phone_e164: PHONE })
  await query(sql`UPDATE principals SET email = ${EMAIL}, display_name = ${NAME} WHERE id = ${principalId}`)
  const metadata = { client_name: `${NAME} at work`, purpose: `Shops for ${EMAIL}` }
  const agent = await Agent.register(app, principalId, metadata)
  const browser = await signIn(EMAIL)
  const bought = await buyApproved(browser, agent)
  await usePortal(browser, agent)
  await leaveLink(browser, agent)
  await useAge(principalId)
  const passkey = await useCredentials(browser)
  await approveWithPasskey(browser, { agent, passkey })
  await approveWithWallet(browser, { agent, passkey })
  const person = await Person.signIn(app, principalId, 'wallet:read wallet:write audit:read privacy:dsar')
  const { access_token: walletToken } = await walletTokens(agent, 'wallet:read')
  await leaveOpen(agent, person)
  await leaveRare(browser, principalId)
  return { principalId, browser, agent, walletToken, person, bought }
}

/** The id of the newest request that waits for a person. */
async function findWaiting(): Promise<string> {
  const [row] = await query<{ id: string }>(
    sql`SELECT authorization_id AS id FROM consents WHERE status = 'pending' ORDER BY created_at DESC LIMIT 1`,
  )
  return row?.id ?? ''
}

const items = [{ sku: 'gift', title: `For ${NAME}`, qty: 1, unit_price_minor: 1200 }]

/** A purchase that the person approves in their session, and its payment. */
async function buyApproved(browser: Browser, agent: Agent): Promise<Subject['bought']> {
  const offer = { offer_id: EMAIL, offer_digest: sha256Base64url(EMAIL) }
  const { form, verifier } = await agent.purchase({ line_items: items, ...offer })
  const pushed = must(await agent.push(form), 201)
  pressed(await browser.approve(await findWaiting()))
  const { result } = await agent.authorize(pushed.request_uri)
  const headers = { 'idempotency-key': 'once' }
  const form2 = {
    grant_type: 'authorization_code',
    code: result['code'],
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  }
  const bought = must(await agent.mint<TokenAnswer>('/oauth/token', form2, headers), 200)
  const bound = await bind(app, agent, bought)
  const paid = must(await agent.settle(bought.access_token, bound, `gift-for-${EMAIL}`), 200)
  const disputed = { payment_intent_id: paid['payment_intent_id'], dispute_status: 'pending' }
  must(await operate(app, 'POST', '/sandbox/disputes', disputed), 200)
  return bought
}

/** Contacts, rules, limits, and an agent that is still to connect. */
async function usePortal(browser: Browser, agent: Agent): Promise<void> {
  const channels = { rcs_enabled: true, rcs_phone_e164: NEW_PHONE, email_enabled: true }
  pressed(await browser.mutate('notifications.save', channels))
  pressed(await browser.mutate('notifications.saveEvents', { muted: ['payments:rcs'] }))
  const hours = { from: '23:00', until: '06:30', requests: true }
  const settings = { language: 'en', quiet_hours: hours, summary_hour: 18 }
  pressed(await browser.mutate('notifications.saveSettings', settings))
  pressed(await browser.mutate('notifications.changeEmail', { email: NEW_EMAIL }))
  pressed(await browser.mutate('notifications.addDevice', pushes.subscribe()))
  const merchant = 'https://shop.example'
  pressed(await browser.mutate('merchants.saveRule', { merchant_audience: merchant, verdict: 'deny' }))
  pressed(await browser.mutate('merchants.saveRule', { merchant_audience: merchant, verdict: null }))
  pressed(await browser.mutate('merchants.saveRule', { merchant_audience: `${merchant}/gifts`, verdict: 'deny' }))
  for (const daily_cap_minor of [6_000, 5_000]) {
    pressed(await browser.mutate('limits.save', { daily_cap_minor, currency: 'EUR' }))
  }
  const limits = { client_id: agent.clientId, daily_cap_minor: 4_000, currency: 'EUR' }
  pressed(await browser.mutate('agents.saveLimits', limits))
  const planned = {
    name: `${NAME} at home`,
    purpose: EMAIL,
    scope: 'wallet:read',
    limits: { daily_cap_minor: 500, currency: 'EUR' },
  }
  pressed(await browser.mutate('agents.connect', planned))
  pressed(await browser.mutate('welcome.leave'))
}

/** A request whose link is in the mail. */
async function leaveLink(browser: Browser, agent: Agent): Promise<void> {
  const gate = (open: boolean) =>
    query(sql`UPDATE principals SET magic_link_gate = ${open} WHERE id = ${agent.principalId}`)
  await gate(true)
  const { form } = await agent.purchase({ line_items: items, amount_minor: 1200 })
  const { request_uri: requestUri } = must(await agent.push({ ...form, state: `link for ${NAME}` }), 201)
  const id = await findWaiting()
  if (id !== '') pressed(await browser.approve(id))
  expect((await agent.authorize(requestUri)).status).toBe(202)
  await gate(false)
}

/** A passkey and recovery codes. */
async function useCredentials(browser: Browser): Promise<PasskeyInBrowser> {
  const start = await browser.mutate('security.startRegistration', {})
  const passkey = await createPasskey(browser, app, pressed<{ challenge_id: string; options: PasskeyCreation }>(start))
  const [key] = await query<{ id: string }>(sql`SELECT id FROM passkeys`)
  pressed(await browser.mutate('security.rename', { id: key?.id, name: `${NAME} key` }))
  const proof = await passkey.prove(browser, { purpose: 'recovery.codes', subject: {} })
  pressed(await browser.mutate('security.makeRecoveryCodes', { proof }))
  return passkey
}

interface Approver {
  readonly agent: Agent
  readonly passkey: PasskeyInBrowser
}

async function approveWithPasskey(browser: Browser, { agent, passkey }: Approver): Promise<void> {
  const { form } = await agent.purchase({ line_items: [{ ...items[0], sku: EMAIL }], amount_minor: 1200 })
  must(await agent.push({ ...form, consent_mode_hint: 'dashboard' }), 201)
  const id = await findWaiting()
  const view = pressed<ConsentView>(await browser.query('approvals.one', { id }))
  const shown = shownOf(view, view.ask_above_minor)
  const signed = await subjectOf(id, shown)
  const proof = await passkey.prove(browser, { purpose: 'consent.approve', subject: signed })
  pressed(await browser.mutate('approvals.decide', { authorization_id: id, decision: 'approve', shown, proof }))
}

async function approveWithWallet(browser: Browser, { agent, passkey }: Approver): Promise<void> {
  const held = await addWalletOnPage(app, browser, passkey)
  const { form } = await agent.purchase({ line_items: [{ ...items[0], sku: EMAIL }], amount_minor: 1200 })
  must(await agent.push({ ...form, consent_mode_hint: 'dashboard' }), 201)
  must(await present(held, (await openWalletRequest({ page: browser }, await findWaiting())).claims), 200)
}

/** A proof of age by a wallet app. */
async function useAge(principalId: string): Promise<void> {
  await configureRegion(app)
  const held = await ownCredential(app, { age_equal_or_over: { 18: true } })
  must(await answerWithOwn(held, (await startAgeProof(app, principalId)).link), 200)
}

/** An offer and a link that nobody took, and what only carriers, wallet clients, other time zones and old age bring about. */
async function leaveRare(browser: Browser, principalId: string): Promise<void> {
  await newOffer(app, { credential_configuration_id: 'service_mandate', subject: { principal_id: principalId } })
  const claims = JSON.stringify({ given_name: NAME })
  await query(sql`UPDATE credential_offers SET subject = ${claims}::jsonb WHERE principal_id = ${principalId}`)
  await browser.post('/api/auth/sign-in-link', { email: EMAIL })
  await query(sql`INSERT INTO merchant_rules (tenant_id, merchant_audience, client_id, verdict, updated_at)
    SELECT tenant_id, 'https://shop.example', id, 'deny', now() FROM clients WHERE principal_id = ${principalId}`)
  await query(sql`UPDATE clients SET given_name = ${NAME} WHERE principal_id = ${principalId}`)
  await query(sql`UPDATE limit_bumps SET rcs_token_hash = id WHERE principal_id = ${principalId}`)
  await query(
    sql`UPDATE wallet_limits SET carried_windows = '{"day": 1}', other_currencies = '{"USD": {"daily_cap_minor": 1}}' WHERE principal_id = ${principalId}`,
  )
  await query(sql`UPDATE mandates SET line_items = ${JSON.stringify(items)}::jsonb WHERE principal_id = ${principalId}`)
}

/** What is under way when the erasure comes: data on its way, and requests that wait for the person. */
async function leaveOpen(agent: Agent, person: Person): Promise<void> {
  const asked = await person.call('POST', '/privacy/dsar/access')
  if (asked.status !== 200) throw new Error(asked.text)
  await runDueJobs(app.platform, jobHandlers)
  must(await ask(app, person.token, 'access', { headers: { 'idempotency-key': EMAIL } }), 200)
  const { form } = await agent.purchase({ line_items: items, amount_minor: 1200 })
  must(await agent.push({ ...form, state: EMAIL }), 201)
  const { form: above } = await agent.purchase({
    line_items: [{ ...items[0], unit_price_minor: 8000 }],
    amount_minor: 8000,
  })
  must(await agent.push(above), 201)
  must(await agent.push({ ...(await agent.walletAccess('wallet:write')).form, state: NAME }), 201)
}

const heldBefore = (table: string, column: string): ReadonlySet<string> =>
  stored.find((one) => one.table === table)?.held.get(column) ?? new Set()
const isShared = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some((value) => others.has(value))

describe('D61 erasure', () => {
  test('D61 the person had used every feature: each table and each column that is erased held something of theirs', () => {
    expect(stored.filter(({ rows }) => rows === 0).map(({ table }) => table)).toEqual([])
    const empty = stored.flatMap(({ table, held }) =>
      [...held].filter(([, values]) => values.size === 0).map(([column]) => `${table}.${column}`),
    )
    expect(empty).toEqual([])
    expect(before.length).toBeGreaterThan(24)
  })

  test('D61 the scan reads every encoding', () => {
    for (const word of [EMAIL, NAME.toUpperCase(), PHONE]) {
      const bytes = Buffer.from(`x${word}y`)
      const escaped = [...word].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
      const percent = [...bytes].map((byte) => `%${byte.toString(16)}`).join('')
      const texts = [
        word,
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.toString('hex'),
        escaped,
        percent,
      ]
      for (const text of texts) expect(holdsAny(`{"a":"${text}"}`, needles), text).toBe(true)
    }
    expect(holdsAny('{"a":"somebody else"}', needles)).toBe(false)
  })

  test('D61 no table, log or outbox holds the person afterwards, but the one mail that confirms it', async () => {
    const left = await scanDatabase(app.platform, needles)
    expect(left).toEqual(['messages.sealed_content'])
    const [mail, ...others] = (await readMessages(app.platform, 200)).filter((one) =>
      holdsAny(JSON.stringify(one), needles),
    )
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: EMAIL, subject: 'Your wallet was erased' })
    await runDueJobs(app.platform, jobHandlers)
    expect(await scanDatabase(app.platform, needles)).toEqual([])
    const outbox = await exchange(`${app.baseUrl}/sandbox/outbox`, { headers: { accept: 'application/json' } })
    expect(holdsAny(outbox.text, needles)).toBe(false)
    expect(log.length).toBeGreaterThan(1_000)
    expect(holdsAny(log, needles)).toBe(false)
  })

  test('D61 the answer names what was emptied, sorted, and how much ended', () => {
    expect(erased).toMatchObject({ status: 'erased', agents_revoked: 1 })
    expect(erased.families_revoked).toBeGreaterThanOrEqual(3)
    const named = erased.redacted.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
    expect(named).toEqual(named.toSorted())
    const ruled = stored.flatMap(({ table, held }) => [...held.keys()].map((column) => `${table}.${column}`))
    expect(named).toEqual(ruled.toSorted())
    expect(new Set(named).size).toBe(named.length)
  })

  test('D61 every place where the person stood was named in the answer', () => {
    const named = erased.redacted.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
    expect(before.filter((place) => !named.includes(place))).toEqual([])
  })

  test('D61 sessions, tokens, links and agents are dead', async () => {
    const { person, agent, browser, bought, walletToken } = subject
    for (const path of ['/privacy/dsar/erasure', '/privacy/dsar/portability', '/privacy/dsar/restriction']) {
      expect(errorOf(await person.call('POST', path))).toEqual([401, 'invalid_token'])
    }
    for (const path of ['/wallet/agents', '/wallet/limits', '/wallet/payment-history', '/wallet/audit-chain']) {
      expect(errorOf(await person.call('GET', path)), path).toEqual([401, 'invalid_token'])
    }
    expect(errorOf(await agent.call('GET', '/wallet/limits', walletToken))).toEqual([401, 'invalid_token'])
    expect(errorOf(await agent.settle(bought.access_token, bought.mandate_jwt, 'again'))).toEqual([
      401,
      'invalid_token',
    ])
    expect(await statusOfMandate(bought.mandate_jwt)).toBe(1)
    expect((await browser.query('session.me')).status).toBe(401)
    await expect(signIn(EMAIL)).rejects.toThrow()
  })

  test('D63 the agents of an erased person get nothing at PAR and the token endpoint', async () => {
    const { agent, bought } = subject
    expect(errorOf(await agent.push((await agent.purchase()).form))).toEqual([401, 'invalid_client'])
    expect(errorOf(await agent.refresh(bought.refresh_token))).toEqual([401, 'invalid_client'])
  })

  test('D64 the operator and the sandbox know nobody any more', async () => {
    const { principalId } = subject
    const key = await newKey()
    const asked: readonly (readonly [string, object])[] = [
      ['/sandbox/setup-tokens', { principal_id: principalId }],
      ['/sandbox/wallet-sessions', { principal_id: principalId, scope: 'wallet:read', dpop_jwk: key.jwk }],
      [`/principals/${principalId}/passkeys/reset`, {}],
    ]
    for (const [path, body] of asked) {
      expect(errorOf(await operate(app, 'POST', path, body)), path).toEqual([404, 'not_found'])
    }
  })

  test('D64 a wallet client gets no setup token for its erased person', async () => {
    const wallet = await newWalletClient(app)
    const { principalId } = await newPrincipal(app, { wallet_client_id: wallet.clientId })
    const dpopKey = await newKey()
    const url = `${app.baseUrl}/wallet/setup-tokens`
    const mint = async (nonce?: string): Promise<Answer> => {
      const answer = await exchange(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          dpop: await dpopProof(app, dpopKey, { method: 'POST', url, nonce }),
        },
        body: JSON.stringify({
          principal_id: principalId,
          client_id: wallet.clientId,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await clientAssertion(app, wallet),
        }),
      })
      return nonce === undefined ? mint(answer.headers.get('dpop-nonce') ?? '') : answer
    }
    expect((await mint()).status).toBe(201)
    const person = await Person.signIn(app, principalId, 'privacy:dsar')
    must(await person.call('POST', '/privacy/dsar/erasure'), 200)
    expect(errorOf(await mint())).toEqual([404, 'not_found'])
  })

  test('D61 the cards are gone here and at the processor', async () => {
    await runDueJobs(app.platform, jobHandlers)
    const cards = await query(sql`SELECT brand, last4, customer_id, payment_method_id FROM card_mandates
      WHERE principal_id = ${subject.principalId}`)
    expect(cards).toEqual([{ brand: '', last4: '', customer_id: '', payment_method_id: '' }])
    const customers = await query(sql`SELECT 1 FROM sandbox_processor_customers
      WHERE metadata ->> 'principal_id' = ${subject.principalId}`)
    expect(customers).toEqual([])
  })

  test('D61 nothing of what these columns held is left in them, once the cards are gone at the processor', async () => {
    const left = await readStored(app.platform, subject.principalId)
    const kept = left.flatMap(({ table, held }) =>
      [...held]
        .filter(([column, values]) => isShared(values, heldBefore(table, column)))
        .map(([column]) => `${table}.${column}`),
    )
    expect(kept).toEqual([])
  })

  test('D61 each revoked agent and family and the erasure are audited, and the chain holds', async () => {
    const entries = await query<{ event: string; payload: string }>(
      sql`SELECT event, payload FROM audit_entries WHERE principal_id = ${subject.principalId} ORDER BY seq`,
    )
    const count = (event: string) => entries.filter((entry) => entry.event === event).length
    expect(count('oid4ac.agent.revoked')).toBe(1)
    expect(count('oid4ac.token.revoked')).toBe(erased.families_revoked)
    expect(entries.at(-1)?.event).toBe('oid4ac.privacy.erasure')
    expect(entries.at(-1)?.payload).toBe(JSON.stringify({ request_id: erased.request_id }))
    expect(count('oid4ac.payment.succeeded')).toBe(1)
  })

  test('E66 no audit entry was changed or taken away', async () => {
    expect(chainBefore.length).toBeGreaterThan(10)
    expect(await auditRows()).toEqual(expect.arrayContaining([...chainBefore]))
  })

  test('D61 what requests were still writing is erased a minute later', async () => {
    const { principalId } = subject
    await query(sql`INSERT INTO mailed_links (token_hash, principal_id, purpose, subject, created_at, expires_at)
      VALUES ('late', ${principalId}, 'undo_email', ${JSON.stringify({ email: EMAIL })}::jsonb, now(), now() + interval '3 days')`)
    await query(sql`UPDATE clients SET name = ${NAME} WHERE principal_id = ${principalId}`)
    expect(await scanDatabase(app.platform, needles)).toEqual(['clients.name', 'mailed_links.subject'])
    app.clock.advance({ seconds: 61 })
    await runDueJobs(app.platform, jobHandlers)
    expect(await scanDatabase(app.platform, needles)).toEqual([])
    expect(await readRequestLog(app.platform, principalId)).toEqual([])
  })
})
