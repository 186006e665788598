/** An attacker has copied everything from an agent's machine: client key, DPoP key, access and refresh token, mandate. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { walletTokens } from '../../oauth/setup'
import { must, Person, statusOfMandate } from '../../support/actors'
import { LIMITS, openScene, withNewDpopKey } from './scene'

const scene = openScene()

/** A household whose person approved this access long ago, and what the agent gets for it since then without a question. */
async function remembered(scope: string) {
  const home = await scene.household()
  await walletTokens(home.agent, scope)
  scene.app.clock.advance({ seconds: 200 * 24 * 60 * 60 })
  home.agent.forgetNonce()
  const { form, verifier } = await home.agent.walletAccess(scope)
  const pushed = must(await home.agent.push(form), 201)
  const { result } = await home.agent.authorize(pushed.request_uri)
  const { access_token: token } = must(await home.agent.redeem(result['code'] ?? '', verifier), 200)
  return { home, token }
}

describe('an attacker with an agent’s keys', () => {
  test('buys up to the limits and not a cent more, and the person is told', async () => {
    const home = await scene.household()
    const thief = home.agent
    for (const _turn of [1, 2]) {
      const bought = await thief.buy({ amount_minor: 2_000 })
      must(await thief.settle(bought.access_token, bought.mandate_jwt, randomUUID()), 200)
    }
    const third = await thief.push((await thief.purchase({ amount_minor: 2_000 })).form)
    expect((await thief.authorize(third.json.request_uri)).result).toMatchObject({ error: 'consent_required' })
    const books = await scene.books(home)
    expect(books.charged).toBe(4_000)
    expect(books.charged).toBeLessThanOrEqual(LIMITS.daily_cap_minor)
    expect(books.messages).not.toEqual([])
    expect(books.audit.filter((event) => event === 'oid4ac.payment.succeeded')).toHaveLength(2)
  })

  test('meets the limits at settlement too, when mandates were collected beforehand and are settled at once', async () => {
    const home = await scene.household()
    const mandates = []
    for (let turn = 0; turn < 6; turn += 1) mandates.push(await home.agent.buy({ amount_minor: 1_000 }))
    const settled = await Promise.all(
      mandates.map((bought) => home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID())),
    )
    expect(settled.filter(({ status }) => status === 200)).toHaveLength(5)
    expect((await scene.books(home)).charged).toBe(LIMITS.daily_cap_minor)
  })

  test('cannot settle one mandate twice, under whatever key', async () => {
    const home = await scene.household()
    const bought = await home.agent.buy({ amount_minor: 1_500 })
    const keys = [randomUUID(), randomUUID(), randomUUID()]
    await Promise.all(keys.map((key) => home.agent.settle(bought.access_token, bought.mandate_jwt, key)))
    expect((await scene.books(home)).charged).toBe(1_500)
  })

  test('has no way to the wallet: neither limits nor cards nor decisions', async () => {
    const home = await scene.household()
    const { access_token: token } = await home.agent.buy({ amount_minor: 500 })
    const pushed = await home.agent.push((await home.agent.purchase({ amount_minor: 400_000 })).form)
    const [waiting] = await home.person.pending()
    const acts: readonly (readonly [string, string, object?])[] = [
      ['GET', '/wallet/limits'],
      ['GET', '/wallet/cards'],
      ['POST', '/wallet/limits', { ...LIMITS, daily_cap_minor: 900_000 }],
      ['POST', '/wallet/unfreeze'],
      ['POST', '/oauth/consent/scan', { authorization_id: waiting?.['authorization_id'], decision: 'approve' }],
    ]
    for (const [method, path, body] of acts) {
      const answer = await home.agent.call(method, path, token, body)
      expect([path, answer.status]).toEqual([path, 401])
    }
    const { result } = await home.agent.authorize(pushed.json.request_uri)
    expect(result['error']).toBe('consent_required')
    expect((await scene.books(home)).charged).toBe(0)
  })

  test('opens the wallet unasked where the person once approved that, and lets no agent pay more with it', async () => {
    const { home, token } = await remembered('wallet:read wallet:write')
    const act = (path: string, body?: object) => home.agent.call('POST', path, token, body)
    must(await home.agent.call('GET', '/wallet/limits', token), 200)
    const merchant = { merchant_audience: 'https://shop.example', agent_client_id: null }
    must(await act('/wallet/merchant-rules', { ...merchant, verdict: 'deny' }), 200)
    must(await act('/wallet/freeze'), 200)
    const acts: readonly (readonly [string, object?])[] = [
      ['/wallet/limits', { ...LIMITS, daily_cap_minor: 900_000 }],
      ['/wallet/merchant-rules', { ...merchant, verdict: 'allow' }],
      ['/wallet/unfreeze'],
      ['/wallet/setup-intent'],
      ['/wallet/notifications', { rcs_enabled: true, rcs_phone_e164: '+353851234567', email_enabled: true }],
    ]
    for (const [path, body] of acts) {
      const { status, json } = await act(path, body)
      expect([path, status, json['error']]).toEqual([path, 401, 'insufficient_user_authentication'])
    }
    must(await home.agent.push((await home.agent.walletAccess('wallet:read')).form), 201)
    const person = await Person.signIn(scene.app, home.principalId)
    expect(await person.pending()).toEqual([expect.objectContaining({ scope: 'wallet:read' })])
    expect((await scene.books(home)).charged).toBe(0)
  })

  test('exports and erases the person unasked where they once approved that, and moves no address', async () => {
    const { home, token } = await remembered('privacy:dsar')
    const ask = (right: string, body?: object) => home.agent.call('POST', `/privacy/dsar/${right}`, token, body)
    const moved = await ask('rectification', { email: 'thief@example.com' })
    expect([moved.status, moved.json['error']]).toEqual([401, 'insufficient_user_authentication'])
    expect((await ask('portability')).text).toContain(home.email)
    must(await ask('erasure'), 200)
    const { audit } = await scene.books(home)
    expect(audit.at(-1)).toBe('oid4ac.privacy.erasure')
    expect((await scene.messagesTo(home.email)).join()).toContain('erased')
    expect((await ask('portability')).status).toBe(401)
  })

  test('is out at the moment when the person revokes the agent, with all that was stolen', async () => {
    const home = await scene.household()
    const bought = await home.agent.buy({ amount_minor: 700 })
    const { code, verifier } = await home.agent.code({ amount_minor: 700 })
    must(await home.person.call('POST', `/wallet/agents/${home.agent.clientId}/revoke`), 200)
    const answers = [
      await home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID()),
      await home.agent.refresh(bought.refresh_token),
      await home.agent.redeem(code, verifier),
      await home.agent.push((await home.agent.purchase()).form),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(await statusOfMandate(bought.mandate_jwt)).toBe(1)
    const books = await scene.books(home)
    expect(books.charged).toBe(0)
    expect(books.audit).toContain('oid4ac.token.revoked')
  })

  test('betrays itself when owner and thief use the same refresh token: the family ends', async () => {
    const home = await scene.household()
    const bought = await home.agent.buy({ amount_minor: 700 })
    const stolen = bought.refresh_token
    const owner = must(await home.agent.refresh(stolen), 200)
    expect((await home.agent.refresh(stolen)).json).toMatchObject({ error: 'invalid_grant' })
    expect((await home.agent.refresh(owner.refresh_token)).json).toMatchObject({ error: 'invalid_grant' })
    const late = await home.agent.settle(owner.access_token, bought.mandate_jwt, randomUUID())
    expect(late.status).toBe(401)
    expect((await scene.books(home)).charged).toBe(0)
  })

  test('gets nothing for tokens alone, without the key that they are bound to', async () => {
    const home = await scene.household()
    const bought = await home.agent.buy({ amount_minor: 700 })
    const { code, verifier } = await home.agent.code({ amount_minor: 700 })
    const thief = await withNewDpopKey(home.agent)
    const answers = [
      await thief.settle(bought.access_token, bought.mandate_jwt, randomUUID()),
      await thief.refresh(bought.refresh_token),
      await thief.redeem(code, verifier),
    ]
    expect(answers.map(({ status }) => status >= 400 && status < 500)).toEqual([true, true, true])
    expect((await scene.books(home)).charged).toBe(0)
  })
})
