/** Decisions B8, B9 and B10: what a wallet token may loosen, who may decide what, and what tokens say of the person. */
import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WalletCall } from '@/server/base/core/call'
import { sql } from '@/server/base/core/sql'
import { operations } from '@/server/operations'
import { readMessages } from '@/server/shared/notifications'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import { decideConsent } from '@/server/wallet/approvals'
import { approvalSubject } from '@/server/wallet/approvals/display'
import {
  Agent,
  type Answer,
  askAboutToken,
  clientForm,
  exchange,
  must,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
  type TokenAnswer,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { addPasskey, type PasskeyHolder } from '../support/passkey-holder'
import { setAuthentication } from '../support/wallet-token'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const FRESH_SECONDS = 15 * 60
const LIMITS = { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' }
const WALLET_ONLY = 'wallet:read wallet:write'

/** The person in a session of the portal. */
function portal(
  principalId: string,
  method: 'magic_link' | 'passkey' | 'demo' = 'magic_link',
  secondsAgo = 0,
): WalletCall {
  const now = app.clock.now()
  const session = { id: randomUUID(), method, authenticatedAt: new Date(now.getTime() - secondsAgo * 1000) }
  const actor = { kind: 'wallet', principalId, tenantId: PORTAL_TENANT_ID, via: 'portal', session } as const
  return { platform: app.platform, requestId: randomUUID(), now, actor }
}

/** Time passes, and with it the nonces that the agents know. */
function wait(seconds: number, ...agents: readonly Agent[]): void {
  app.clock.advance({ seconds })
  for (const agent of agents) agent.forgetNonce()
}

type Approve = (authorizationId: string, scope: string) => Promise<unknown>

const inPortal =
  (call: WalletCall, passkey?: PasskeyHolder): Approve =>
  async (id, scope) => {
    const shown = { scope }
    const action = { purpose: 'consent.approve', subject: approvalSubject(id, shown) } as const
    const proof = await passkey?.confirm(call, action)
    return decideConsent.verb(call, { authorization_id: id, decision: 'approve', shown, proof })
  }

/** An agent's wallet tokens: the person approves where that is needed. */
async function walletTokens(agent: Agent, approve: Approve, scope = WALLET_ONLY, more = {}): Promise<TokenAnswer> {
  const { form, verifier } = await agent.walletAccess(scope)
  const { request_uri: requestUri } = must(await agent.push({ ...form, ...more }), 201)
  const [waiting] = await (await Person.signIn(app, agent.principalId)).pending()
  if (waiting !== undefined) await approve(String(waiting['authorization_id']), scope)
  const { result } = await agent.authorize(requestUri)
  return must(await agent.redeem(result['code'] ?? '', verifier), 200)
}

const unneeded: Approve = () => Promise.reject(new Error('nobody should be asked'))

const authenticationIn = (token: string) => {
  const { acr, auth_time } = decodeJwt(token)
  return { acr, auth_time }
}
const epoch = (at: Date) => Math.floor(at.getTime() / 1000)
const now = () => epoch(app.clock.now())

/** A person with limits and a card, and an agent that may do everything. */
async function household(metadata: Record<string, unknown> = {}) {
  const { principalId } = await newPrincipal(app, { limits: LIMITS })
  const agent = await Agent.register(app, principalId, metadata)
  return { principalId, agent, person: await Person.signIn(app, principalId) }
}
type Household = Awaited<ReturnType<typeof household>>

const outcome = ({ status, json }: Answer) => [status, json['error']]
const INSUFFICIENT = [401, 'insufficient_user_authentication']

describe('acr and auth_time', () => {
  test('B10 a passkey in the portal gives phr and its moment, which neither refreshing nor waiting moves', async () => {
    const { principalId, agent } = await household()
    const call = portal(principalId, 'magic_link', 600)
    const tokens = await walletTokens(agent, inPortal(call, await addPasskey(call)))
    const confirmed = { acr: 'urn:oid4ac:acr:phr', auth_time: epoch(call.now) }
    expect(authenticationIn(tokens.access_token)).toEqual(confirmed)
    wait(3_600, agent)
    const second = must(await agent.refresh(tokens.refresh_token), 200)
    const third = must(await agent.refresh(second.refresh_token), 200)
    expect(authenticationIn(third.access_token)).toEqual(confirmed)
    const known = await askAboutToken(app, 'introspect', agent, { token: third.access_token })
    expect(known.json).toMatchObject({ active: true, ...confirmed })
    const refresh = await askAboutToken(app, 'introspect', agent, { token: third.refresh_token })
    expect(refresh.json).toMatchObject({ active: true, ...confirmed })
  })

  test.each(['magic_link', 'demo'] as const)(
    'B10 a session by %s gives mail and when it was opened',
    async (method) => {
      const { principalId, agent } = await household()
      const call = portal(principalId, method, 300)
      const tokens = await walletTokens(agent, inPortal(call))
      expect(authenticationIn(tokens.access_token)).toEqual({
        acr: 'urn:oid4ac:acr:mail',
        auth_time: epoch(call.now) - 300,
      })
    },
  )

  test('B10 what is remembered gives rule and when the person last approved the agent', async () => {
    const { principalId, agent } = await household()
    const call = portal(principalId)
    await walletTokens(agent, inPortal(call))
    wait(120, agent)
    const again = await walletTokens(agent, unneeded)
    expect(authenticationIn(again.access_token)).toEqual({ acr: 'urn:oid4ac:acr:rule', auth_time: epoch(call.now) })
  })

  test('B10 what the rules allow without any approval gives rule and when the agent was connected', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const connectedFrom = now()
    const agent = await Agent.register(app, principalId)
    const connectedUntil = now()
    wait(120, agent)
    const { acr, auth_time: at } = authenticationIn((await agent.buy()).access_token)
    expect(acr).toBe('urn:oid4ac:acr:rule')
    expect(at).toBeGreaterThanOrEqual(connectedFrom)
    expect(at).toBeLessThanOrEqual(connectedUntil)
  })

  test('B10 a confirmation by mailed link at the gate gives mail and its moment', async () => {
    const { principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits', magic_link_gate: true })
    const agent = await Agent.register(app, principalId)
    const { form, verifier } = await agent.purchase()
    expect((await agent.authorize(must(await agent.push(form), 201).request_uri)).status).toBe(202)
    const mail = (await readMessages(app.platform, 200)).find(({ to }) => to === email)
    const link = new URL(mail?.links[0] ?? '')
    const before = now()
    const confirmed = await exchange(`${app.baseUrl}/oauth/magic-link/confirm${link.search}`)
    const code = new URL(confirmed.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const { acr, auth_time: at } = authenticationIn(must(await agent.redeem(code, verifier), 200).access_token)
    expect(acr).toBe('urn:oid4ac:acr:mail')
    expect(at).toBeGreaterThanOrEqual(before)
  })

  test('B10 an approval by token passes on what the token has, so that a chain of tokens stays as old as its first', async () => {
    const { principalId, agent, person } = await household({ scope: WALLET_ONLY })
    await setAuthentication(app, person.token, 'phr', 500)
    const first = await walletTokens(agent, (id) => person.decide(id, 'approve'))
    const origin = { acr: 'urn:oid4ac:acr:phr', auth_time: now() - 500 }
    const { auth_time: at } = authenticationIn(first.access_token)
    expect(authenticationIn(first.access_token)).toMatchObject({ acr: origin.acr })
    expect(Math.abs(Number(at) - origin.auth_time)).toBeLessThanOrEqual(5)

    const other = await Agent.register(app, principalId, { scope: WALLET_ONLY })
    const second = await walletTokens(other, async (id) => {
      const body = { authorization_id: id, decision: 'approve' }
      must(await agent.call('POST', '/oauth/consent/scan', first.access_token, body), 200)
    })
    expect(authenticationIn(second.access_token)).toEqual({ acr: origin.acr, auth_time: at })
    wait(500, other)
    const late = must(await other.refresh(second.refresh_token), 200)
    expect(outcome(await other.call('POST', '/wallet/limits', late.access_token, {}))).toEqual(INSUFFICIENT)
  })

  test('B8 B10 a sandbox session has phr and is as old as its token', async () => {
    const before = now()
    const { person } = await household()
    const { acr, auth_time: at } = authenticationIn(person.token)
    expect(acr).toBe('urn:oid4ac:acr:phr')
    expect(at).toBe(decodeJwt(person.token).iat)
    expect(at).toBeGreaterThanOrEqual(before)
  })

  test('B10 the metadata lists every value of acr', async () => {
    const { json } = await exchange(`${app.baseUrl}/.well-known/oauth-authorization-server`)
    expect(json['acr_values_supported']).toEqual(['urn:oid4ac:acr:phr', 'urn:oid4ac:acr:mail', 'urn:oid4ac:acr:rule'])
  })

  test.each([{ max_age: '900' }, { acr_values: 'urn:oid4ac:acr:phr' }])(
    'B8 a request with %o asks the person again, whatever was approved before',
    async (parameters) => {
      const { principalId, agent } = await household()
      await walletTokens(agent, inPortal(portal(principalId)))
      wait(60, agent)
      const call = portal(principalId)
      const tokens = await walletTokens(agent, inPortal(call), WALLET_ONLY, parameters)
      expect(authenticationIn(tokens.access_token)).toEqual({
        acr: 'urn:oid4ac:acr:mail',
        auth_time: epoch(call.now),
      })
    },
  )

  test('B8 acr_values that rule meets asks nobody, and a malformed max_age is refused', async () => {
    const { principalId, agent } = await household()
    await walletTokens(agent, inPortal(portal(principalId)))
    await walletTokens(agent, unneeded, WALLET_ONLY, { acr_values: 'urn:oid4ac:acr:phr urn:oid4ac:acr:rule' })
    const { form } = await agent.walletAccess(WALLET_ONLY)
    for (const value of ['-1', '1.5', 'now']) {
      expect(outcome(await agent.push({ ...form, max_age: value }))).toEqual([400, 'invalid_request'])
    }
  })
})

describe('loosening with a token', () => {
  /** Lowers limits, which every token may, and then removes them. */
  const loosen = async (agent: Agent, token: string) => {
    must(await agent.call('POST', '/wallet/limits', token, LIMITS), 200)
    return agent.call('POST', '/wallet/limits', token, {})
  }
  const challengeOf = ({ headers }: Answer) => headers.get('www-authenticate')
  const challenge = (values: string) =>
    ['DPoP', 'Bearer']
      .map(
        (scheme) =>
          `${scheme} error="insufficient_user_authentication", acr_values="${values}", max_age="${FRESH_SECONDS}"`,
      )
      .join(', ')
  const PHR = 'urn:oid4ac:acr:phr'

  test('B8 a person with a passkey loosens with phr of at most fifteen minutes', async () => {
    const { principalId, agent } = await household()
    const call = portal(principalId)
    const passkey = await addPasskey(call)
    const { access_token: token, refresh_token: refreshToken } = await walletTokens(agent, inPortal(call, passkey))
    expect((await loosen(agent, token)).status).toBe(200)
    wait(FRESH_SECONDS - 30, agent)
    const next = must(await agent.refresh(refreshToken), 200)
    expect((await loosen(agent, next.access_token)).status).toBe(200)
    wait(31, agent)
    const refused = await loosen(agent, next.access_token)
    expect([...outcome(refused), challengeOf(refused)]).toEqual([...INSUFFICIENT, challenge(PHR)])
    const last = must(await agent.refresh(next.refresh_token), 200)
    expect(outcome(await loosen(agent, last.access_token))).toEqual(INSUFFICIENT)

    const again = portal(principalId)
    const fresh = await walletTokens(agent, inPortal(again, passkey), WALLET_ONLY, { acr_values: PHR, max_age: '900' })
    expect((await loosen(agent, fresh.access_token)).status).toBe(200)
  })

  test('B8 the mailbox alone loosens nothing where there is a passkey', async () => {
    const { principalId, agent } = await household({ scope: WALLET_ONLY })
    const call = portal(principalId)
    const { access_token: token } = await walletTokens(agent, inPortal(call))
    expect((await loosen(agent, token)).status).toBe(200)
    await addPasskey(call)
    const refused = await loosen(agent, token)
    expect([...outcome(refused), challengeOf(refused)]).toEqual([...INSUFFICIENT, challenge(PHR)])
    const { json } = await agent.call('GET', '/wallet/limits', token)
    expect(json).toMatchObject(LIMITS)
  })

  test('B8 without a passkey mail of at most fifteen minutes is enough', async () => {
    const { principalId, agent } = await household({ scope: WALLET_ONLY })
    const { refresh_token: refreshToken } = await walletTokens(agent, inPortal(portal(principalId)))
    wait(FRESH_SECONDS - 30, agent)
    const { access_token: token } = must(await agent.refresh(refreshToken), 200)
    expect((await loosen(agent, token)).status).toBe(200)
    wait(31, agent)
    const refused = await loosen(agent, token)
    expect([...outcome(refused), challengeOf(refused)]).toEqual([
      ...INSUFFICIENT,
      challenge(`${PHR} urn:oid4ac:acr:mail`),
    ])
    expect(refused.json).toEqual({
      error: 'insufficient_user_authentication',
      error_description: expect.any(String),
      error_uri: `${app.baseUrl}/docs/errors#insufficient_user_authentication`,
    })
  })

  test.each(['oid4ac:payment', 'payment:execute'])(
    'B8 mail is not enough for an agent that registered %s as well',
    async (scope) => {
      const { principalId, agent } = await household({ scope: `${WALLET_ONLY} ${scope}` })
      const { access_token: token } = await walletTokens(agent, inPortal(portal(principalId)))
      const refused = await loosen(agent, token)
      expect([...outcome(refused), challengeOf(refused)]).toEqual([...INSUFFICIENT, challenge(PHR)])
    },
  )

  test('B8 what is remembered loosens nothing, however recent it is', async () => {
    const { principalId, agent } = await household({ scope: WALLET_ONLY })
    await walletTokens(agent, inPortal(portal(principalId)))
    const { access_token: token } = await walletTokens(agent, unneeded)
    expect(outcome(await loosen(agent, token))).toEqual(INSUFFICIENT)
  })

  test('B8 the challenge names the DPoP scheme alone where no other is taken', async () => {
    const strict = await startApp({ env: { REQUIRE_DPOP: 'true' } })
    try {
      const { principalId } = await newPrincipal(strict, { limits: LIMITS })
      const person = await Person.signIn(strict, principalId)
      await setAuthentication(strict, person.token, 'rule')
      const refused = await person.call('POST', '/wallet/limits', {})
      expect(challengeOf(refused)).toBe(challenge(`${PHR} urn:oid4ac:acr:mail`).split(', Bearer')[0])
    } finally {
      await strict.close()
    }
  })
})

describe('a decision by token', () => {
  test('B8 is repeated without a confirmation, once it was made', async () => {
    const home = await household()
    const { person } = home
    const decide = async (id: unknown, decision: string) =>
      outcome(await person.call('POST', '/oauth/consent/scan', { authorization_id: id, decision }))
    const declined = (await pendingOf(home, 1_000))?.['authorization_id']
    expect((await decide(declined, 'decline'))[0]).toBe(200)
    const approved = (await pendingOf(home, 1_000))?.['authorization_id']
    expect((await decide(approved, 'approve'))[0]).toBe(200)
    await setAuthentication(app, person.token, 'rule')
    expect((await decide(approved, 'approve'))[0]).toBe(200)
    expect(await decide(declined, 'approve')).toEqual([409, 'conflict'])
    expect(await decide('unknown', 'approve')).toEqual([404, 'not_found'])
    const waiting = (await pendingOf(home))?.['authorization_id']
    expect(await decide(waiting, 'approve')).toEqual(INSUFFICIENT)
  })
})

type Act = readonly [path: string, body?: object | undefined, method?: string]
type Prepare = (home: Household) => Promise<Act> | Act

const pendingOf = async ({ agent, person }: Household, amount = 9_000) => {
  must(await agent.push((await agent.purchase({ amount_minor: amount })).form), 201)
  return (await person.pending())[0]
}
/** A limit request of its own: the limit is met when the purchase is settled. */
const bumpOf = async ({ principalId, agent, person }: Household) => {
  await app.platform.db.query(sql`UPDATE principals SET approval_rule = 'above_limits' WHERE id = ${principalId}`)
  const limits = (cap: number) => person.call('POST', '/wallet/limits', { ...LIMITS, single_txn_cap_minor: cap })
  const bought = await agent.buy({ amount_minor: 1_000 })
  must(await limits(500), 200)
  const refused = await agent.settle(bought.access_token, bought.mandate_jwt, randomUUID())
  return String(refused.json['bump_id'])
}
const cardOf = async ({ person }: Household) => {
  const { json } = await person.call<{ cards: { id: string }[] }>('GET', '/wallet/cards')
  return json.cards[0]?.id ?? ''
}
const beginEnrolment = async ({ person }: Household) =>
  String(must(await person.call('POST', '/wallet/setup-intent'), 200)['setup_intent_id'])
const playCardholder = async (intent: string, deliveries = 0) =>
  must(await operate(app, 'POST', '/sandbox/setup-intents', { setup_intent_id: intent, deliveries }), 200)
const confirmation = (intent: string) => ['/wallet/setup-intent/confirm', { setup_intent_id: intent }] as const
const RULE = { merchant_audience: 'https://shop.example', agent_client_id: null }
const agentPath = ({ agent }: Household, act: string) => `/wallet/agents/${agent.clientId}/${act}`

/** How each operation that may let agents pay more is asked to do so. */
const loosening: Readonly<Record<string, Prepare>> = {
  decideConsent: async (home) => [
    '/oauth/consent/scan',
    { authorization_id: (await pendingOf(home, 1_000))?.['authorization_id'], decision: 'approve' },
  ],
  approveLimitBump: async (home) => [`/wallet/limit-bumps/${await bumpOf(home)}/approve`],
  saveLimits: () => ['/wallet/limits', { ...LIMITS, daily_cap_minor: 5_001 }],
  saveAgentLimits: async (home) => {
    const path = agentPath(home, 'limits')
    await home.person.call('POST', path, LIMITS)
    return [path, {}]
  },
  saveMerchantRule: async ({ person }) => {
    await person.call('POST', '/wallet/merchant-rules', { ...RULE, verdict: 'deny' })
    return ['/wallet/merchant-rules', { ...RULE, verdict: 'allow' }]
  },
  saveMerchantGate: async ({ person }) => {
    await person.call('POST', '/wallet/merchant-rules/gate', { only_listed: true })
    return ['/wallet/merchant-rules/gate', { only_listed: false }]
  },
  unfreezeSpending: async ({ person }) => {
    await person.call('POST', '/wallet/freeze')
    return ['/wallet/unfreeze']
  },
  resumeAgent: async (home) => {
    await home.person.call('POST', agentPath(home, 'pause'))
    return [agentPath(home, 'resume')]
  },
  createSetupIntent: () => ['/wallet/setup-intent'],
  confirmSetupIntent: async (home) => {
    const intent = await beginEnrolment(home)
    await playCardholder(intent)
    return confirmation(intent)
  },
  makeDefaultCard: async (home) => [`/wallet/cards/${await cardOf(home)}/default`],
}

/** How each operation is asked that only ever lets agents pay less. */
const tightening: Readonly<Record<string, Prepare>> = {
  declineLimitBump: async (home) => [`/wallet/limit-bumps/${await bumpOf(home)}/decline`],
  freezeSpending: () => ['/wallet/freeze'],
  pauseAgent: (home) => [agentPath(home, 'pause')],
  revokeAgent: (home) => [agentPath(home, 'revoke')],
  removeCard: async (home) => [`/wallet/cards/${await cardOf(home)}`, undefined, 'DELETE'],
}

/** Which change of these loosens depends on more than wallets and money; their own suites say so. */
const sortedElsewhere = ['saveNotifications']

describe('every operation of wallet:write', () => {
  const send = ({ person }: Household, [path, body, method = 'POST']: Act) => person.call(method, path, body)
  const writing = operations.flatMap(({ endpoint }) => {
    const { access } = endpoint
    return access.actor === 'wallet' && access.scope === 'wallet:write' ? [endpoint] : []
  })

  test('B8 every operation of wallet:write is sorted into those that loosen and those that only tighten', () => {
    const sorted = [...Object.keys(loosening), ...Object.keys(tightening), ...sortedElsewhere]
    expect(writing.map(({ operationId }) => operationId).toSorted()).toEqual(sorted.toSorted())
    const declaring = writing.filter(({ refusals = [] }) => refusals.includes('insufficient_user_authentication'))
    const declared = declaring.map(({ operationId }) => operationId).filter((id) => !sortedElsewhere.includes(id))
    expect(declared.toSorted()).toEqual(Object.keys(loosening).toSorted())
  })

  test.each(Object.entries(loosening))('B8 %s needs a person who confirmed recently', async (_name, prepare) => {
    const home = await household()
    const act = await prepare(home)
    await setAuthentication(app, home.person.token, 'rule')
    expect(outcome(await send(home, act))).toEqual(INSUFFICIENT)
    await setAuthentication(app, home.person.token, 'phr', FRESH_SECONDS + 1)
    expect(outcome(await send(home, act))).toEqual(INSUFFICIENT)
    await setAuthentication(app, home.person.token, 'phr', FRESH_SECONDS - 5)
    expect((await send(home, act)).status).toBe(200)
  })

  test.each(Object.entries(tightening))('B8 %s needs no more than the scope', async (_name, prepare) => {
    const home = await household()
    const act = await prepare(home)
    await setAuthentication(app, home.person.token, 'rule', 86_400)
    expect((await send(home, act)).status).toBe(200)
  })
})

describe('the confirmation of a card with a token that no longer suffices', () => {
  const confirm = ({ person }: Household, intent: string) => person.call('POST', ...confirmation(intent))
  const age = ({ person }: Household) => setAuthentication(app, person.token, 'phr', FRESH_SECONDS + 1)

  test('B8 the confirmation of an intent that is unknown or of another person is 404 whatever the token', async () => {
    const [home, other] = [await household(), await household()]
    const intent = await beginEnrolment(other)
    await playCardholder(intent)
    await age(home)
    for (const id of [intent, 'seti_unknown']) {
      expect(outcome(await confirm(home, id))).toEqual([404, 'not_found'])
    }
  })

  test('B8 the confirmation of a card that is saved already is answered again, and of one that waits writes nothing', async () => {
    const home = await household()
    const [saved, waiting, ready] = [await beginEnrolment(home), await beginEnrolment(home), await beginEnrolment(home)]
    await playCardholder(saved)
    must(await confirm(home, saved), 200)
    await age(home)
    const again = await confirm(home, saved)
    expect([again.status, again.json]).toEqual([
      200,
      { status: 'succeeded', reconciled: false, setup_intent_id: saved },
    ])
    expect((await confirm(home, waiting)).json).toMatchObject({ reconciled: false, setup_intent_id: waiting })
    await playCardholder(ready)
    expect(outcome(await confirm(home, ready))).toEqual(INSUFFICIENT)
  })
})

describe('an agent and its own requests', () => {
  const bodyOf = (id: unknown, decision: 'approve' | 'decline') => ({ authorization_id: id, decision })
  const decide = (agent: Agent, token: string, id: unknown, decision: 'approve' | 'decline') =>
    agent.call('POST', '/oauth/consent/scan', token, bodyOf(id, decision))

  async function stateOf({ principalId }: Household) {
    const { db } = app.platform
    const [consents, bumps, remembered, messages, settlements] = await Promise.all([
      db.query(
        sql`SELECT status, decided_at, acr FROM consents WHERE principal_id = ${principalId} AND kind = 'payment'`,
      ),
      db.query(sql`SELECT status, decided_at FROM limit_bumps WHERE principal_id = ${principalId}`),
      db.query(
        sql`SELECT subject FROM remembered_approvals WHERE principal_id = ${principalId} AND subject LIKE 'merchant:%'`,
      ),
      db.query(sql`SELECT id FROM messages WHERE principal_id = ${principalId} ORDER BY id`),
      db.query(sql`SELECT id FROM settlements WHERE principal_id = ${principalId}`),
    ])
    return { consents, bumps, remembered, messages, settlements }
  }

  test('B9 an agent with wallet:write approves none of its own 5,000.00 EUR, and nothing changes', async () => {
    const home = await household()
    const { principalId, agent, person } = home
    const call = portal(principalId)
    const passkey = await addPasskey(call)
    const { access_token: token } = await walletTokens(agent, inPortal(call, passkey))
    const { form } = await agent.purchase({ amount_minor: 500_000 })
    const { request_uri: requestUri } = must(await agent.push(form), 201)
    const [waiting] = await person.pending()
    const id = waiting?.['authorization_id']
    const bump = `/wallet/limit-bumps/${String(waiting?.['limit_bump_id'])}`
    const before = await stateOf(home)
    expect(before).toMatchObject({ consents: [{ status: 'pending' }], settlements: [], remembered: [] })

    for (const decision of ['approve', 'decline'] as const) {
      expect(outcome(await decide(agent, token, id, decision))).toEqual([403, 'forbidden'])
      expect(outcome(await agent.call('POST', `${bump}/${decision}`, token))).toEqual([403, 'forbidden'])
    }
    expect(await stateOf(home)).toEqual(before)
    const { json } = await exchange(`${app.baseUrl}/oauth/par/${encodeURIComponent(requestUri)}/status`)
    expect(json).toEqual({ status: 'pending' })
    expect((await agent.authorize(requestUri)).result).toMatchObject({ error: 'consent_required' })
  })

  test('B9 its own request is forbidden to an agent also when its token would not suffice', async () => {
    const home = await household()
    const { access_token: token } = await walletTokens(home.agent, inPortal(portal(home.principalId)))
    const waiting = await pendingOf(home)
    expect(outcome(await decide(home.agent, token, waiting?.['authorization_id'], 'approve'))).toEqual([
      403,
      'forbidden',
    ])
  })

  test('B9 the handle in its link names no request to decide, be the request its own or not', async () => {
    const home = await household()
    const { access_token: token } = await walletTokens(home.agent, inPortal(portal(home.principalId)))
    const waiting = await pendingOf(home)
    const [row] = await app.platform.db.query<{ approval_handle: string }>(
      sql`SELECT approval_handle FROM consents WHERE authorization_id = ${String(waiting?.['authorization_id'])}`,
    )
    for (const decision of ['approve', 'decline'] as const) {
      expect(outcome(await decide(home.agent, token, row?.approval_handle, decision))).toEqual([404, 'not_found'])
      expect(outcome(await home.person.decide(row?.approval_handle, decision))).toEqual([404, 'not_found'])
    }
    expect(await home.person.pending()).toEqual([waiting])
  })

  test('B9 its own request for wallet access is forbidden to an agent as well', async () => {
    const { principalId, agent, person } = await household()
    const call = portal(principalId)
    const { access_token: token } = await walletTokens(agent, inPortal(call, await addPasskey(call)))
    must(await agent.push((await agent.walletAccess('wallet:read audit:read')).form), 201)
    const [waiting] = await person.pending()
    expect(outcome(await decide(agent, token, waiting?.['authorization_id'], 'approve'))).toEqual([403, 'forbidden'])
  })

  test('B9 another agent decides within what its token may, and the sandbox session decides for the person', async () => {
    const home = await household()
    const helper = await Agent.register(app, home.principalId, { scope: WALLET_ONLY })
    const { access_token: token } = await walletTokens(helper, inPortal(portal(home.principalId)))
    const [one, other] = [await pendingOf(home), await pendingOf(home, 8_000)]
    expect((await decide(helper, token, one?.['authorization_id'], 'approve')).status).toBe(200)
    expect(decodeJwt(home.person.token)['client_id']).toBe(PORTAL_TENANT_ID)
    expect((await home.person.decide(other?.['authorization_id'], 'approve')).status).toBe(200)
  })

  test('B9 a sandbox session decides about agents that were connected with a setup token of its client', async () => {
    const wallet = await newWalletClient(app)
    const { principalId } = await newPrincipal(app, { wallet_client_id: wallet.clientId, limits: LIMITS })
    const agent = await Agent.register(app, principalId)
    const home = { principalId, agent, person: await Person.signIn(app, principalId) }
    expect(decodeJwt(home.person.token)['client_id']).toBe(wallet.clientId)
    const waiting = await pendingOf(home)
    expect((await home.person.decide(waiting?.['authorization_id'], 'approve')).status).toBe(200)
  })

  test('B9 an agent mints no setup token, so no agent is connected by another', async () => {
    const { agent, principalId } = await household()
    const url = `${app.baseUrl}/wallet/setup-tokens`
    const form = new URLSearchParams(await clientForm(app, agent, {}))
    await agent.freshNonce()
    const answer = await exchange(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', dpop: await agent.proof('POST', url) },
      body: JSON.stringify({ ...Object.fromEntries(form), principal_id: principalId }),
    })
    expect(outcome(answer)).toEqual([401, 'invalid_client'])
  })
})
