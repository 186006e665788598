import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import {
  Agent,
  askAboutToken,
  clientForm,
  exchange,
  newWalletClient,
  Person,
  statusOfMandate,
  type TokenAnswer,
} from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, walletTokens, withApp, withOtherKey } from './setup'

let app: App
let wallet: Awaited<ReturnType<typeof newWalletClient>>
let agent: Agent
let other: Agent
withApp(async (started) => {
  app = started
  wallet = await newWalletClient(app)
  other = await tenantAgent()
})
beforeEach(async () => {
  agent = await tenantAgent()
  other.forgetNonce()
})

const tenantAgent = () => readyAgent(app, { wallet_client_id: wallet.clientId })

/** A purchase at a merchant elsewhere. */
const buy = () => agent.buy({ merchant: 'https://shop.example' })

const later = (seconds: number) => {
  app.clock.advance({ seconds })
  agent.forgetNonce()
}

/** What the operator of the wallet is told, who outlives the agent. */
const introspect = async (token: string) =>
  (await askAboutToken(app, 'introspect', wallet, { token, client_id: wallet.clientId })).json
const isActive = async (token: string) => (await introspect(token))['active']

const outcome = ({ status, json }: { status: number; json: unknown }) => [status, json]
const refused = (error: string) => [400, { error }]

/** Neither token of a pair is good for anything, not even with the active mandate of another purchase. */
async function expectDead(tokens: readonly TokenAnswer[]) {
  const spare = await buy()
  for (const { access_token: access, refresh_token: refresh } of tokens) {
    expect([await isActive(access), await isActive(refresh)]).toEqual([false, false])
    expect((await agent.settle(access, spare.mandate_jwt, spare.mandate_id)).status).toBe(401)
    expect(outcome(await agent.refresh(refresh))).toMatchObject(refused('invalid_grant'))
  }
  expect((await agent.settle(spare.access_token, spare.mandate_jwt, spare.mandate_id)).status).toBe(200)
}

/** Why families of the agent were revoked, as the person sees it. */
async function revocations(): Promise<unknown[]> {
  const person = await Person.signIn(app, agent.principalId)
  const path = '/wallet/audit-chain?event_types=oid4ac.token.revoked'
  const { json } = await person.call<{ entries: { payload: { reason: string } }[] }>('GET', path)
  return json.entries.map(({ payload }) => payload.reason)
}

describe('a rotation', () => {
  test('R1 a refresh gives a new pair of the same family and key, and no mandate', async () => {
    const first = await buy()
    const { jti: family } = await introspect(first.refresh_token)
    const answer = await agent.refresh(first.refresh_token)
    const next = answer.json
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(next).toEqual({
      access_token: expect.any(String),
      token_type: 'DPoP',
      expires_in: 300,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid oid4ac:payment payment:execute',
      authorization_details: first.authorization_details,
    })
    expect(next.refresh_token).not.toBe(first.refresh_token)
    const [before, after] = [decodeJwt(first.access_token), decodeJwt(next.access_token)]
    expect(after.jti).not.toBe(before.jti)
    expect(after).toMatchObject({ sub: before.sub, aud: before.aud, cnf: { jkt: agent.dpopKey.jkt } })
    expect((await introspect(next.refresh_token))['jti']).toBe(family)
    expect(await isActive(first.refresh_token)).toBe(false)
    expect((await agent.settle(next.access_token, first.mandate_jwt, 'refreshed')).status).toBe(200)
  })

  test('R2 reuse of an old refresh token ends the family, the newest token and the mandate included', async () => {
    const first = await buy()
    const second = (await agent.refresh(first.refresh_token)).json
    const third = (await agent.refresh(second.refresh_token)).json
    expect(await isActive(third.access_token)).toBe(true)
    expect(outcome(await agent.refresh(first.refresh_token))).toMatchObject(refused('invalid_grant'))
    await expectDead([first, second, third])
    expect(await revocations()).toEqual(['refresh_token_reuse'])
    expect(await statusOfMandate(first.mandate_jwt)).toBe(1)
  })

  test('R2 an immediate retry without an Idempotency-Key counts as reuse', async () => {
    const first = await buy()
    const second = (await agent.refresh(first.refresh_token)).json
    expect(outcome(await agent.refresh(first.refresh_token))).toMatchObject(refused('invalid_grant'))
    await expectDead([second])
  })

  test('R3 of many parallel refreshes at most one succeeds, and its tokens do not survive', async () => {
    const first = await buy()
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.refresh(first.refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const lost of answers.filter((one) => one !== won[0])) {
      expect(outcome(lost)).toMatchObject(refused('invalid_grant'))
    }
    await expectDead(won.map(({ json }) => json))
  })

  test('R3 no new token survives a revocation that races the refresh', async () => {
    const first = await buy()
    const [refreshed, revoked] = await Promise.all([
      agent.refresh(first.refresh_token),
      askAboutToken(app, 'revoke', wallet, { token: first.access_token }),
    ])
    expect(revoked.status).toBe(200)
    await expectDead(refreshed.status === 200 ? [refreshed.json, first] : [first])
  })

  test('R4 a retry with the same Idempotency-Key gets the lost answer, and its tokens are valid', async () => {
    const { refresh_token: token } = await buy()
    const form = { client_assertion: await agent.assertion(), grant_type: 'refresh_token', refresh_token: token }
    const send = () => agent.mint<TokenAnswer>('/oauth/token', form, { 'idempotency-key': 'lost' })
    const lost = await send()
    const repeat = await send()
    expect([repeat.status, repeat.text]).toEqual([200, lost.text])
    expect(await isActive(repeat.json.access_token)).toBe(true)
    expect((await agent.refresh(repeat.json.refresh_token)).status).toBe(200)
  })
})

describe('asking for another coverage', () => {
  test('R5 a narrower scope applies to one access token; the refresh token keeps the full scope', async () => {
    const first = await buy()
    const narrow = (await agent.refresh(first.refresh_token, { scope: 'payment:execute' })).json
    expect([narrow.scope, decodeJwt(narrow.access_token)['scope']]).toEqual(['payment:execute', 'payment:execute'])
    expect(await introspect(narrow.refresh_token)).toMatchObject({ scope: first.scope })
    const full = (await agent.refresh(narrow.refresh_token)).json
    expect([full.scope, decodeJwt(full.access_token)['scope']]).toEqual([first.scope, first.scope])
  })

  test('R5 a narrower scope of wallet access removes the other actions from authorization_details', async () => {
    const first = await walletTokens(agent, 'wallet:read wallet:write')
    const narrow = (await agent.refresh(first.refresh_token, { scope: 'wallet:read' })).json
    const reading = [{ type: 'oid4ac_wallet', actions: ['read'] }]
    expect([narrow.scope, narrow.authorization_details]).toEqual(['wallet:read', reading])
    expect(decodeJwt(narrow.access_token)).toMatchObject({ sub: agent.principalId, authorization_details: reading })
    expect((await agent.call('POST', '/wallet/limits', narrow.access_token, {})).status).toBe(403)
    const contradiction = { scope: 'wallet:write', authorization_details: JSON.stringify(reading) }
    expect(outcome(await agent.refresh(narrow.refresh_token, contradiction))).toMatchObject(refused('invalid_scope'))
    const full = (await agent.refresh(narrow.refresh_token)).json
    expect([full.scope, full.authorization_details]).toEqual([first.scope, first.authorization_details])
  })

  test('R5, R6 a wider scope, another resource or a larger payment is refused and consumes nothing', async () => {
    const { refresh_token: token, authorization_details: details, merchant } = await buy()
    const dearer = JSON.stringify([{ ...details[0], amount_minor: 1201 }])
    const rows = [
      [{ scope: 'openid audit:read' }, 'invalid_scope'],
      [{ scope: 'openid unknown' }, 'invalid_scope'],
      [{ scope: 'OPENID' }, 'invalid_scope'],
      [{ resource: 'https://else.example' }, 'invalid_target'],
      [{ resource: [merchant, `${merchant}/else`] }, 'invalid_target'],
      [{ authorization_details: dearer }, 'invalid_authorization_details'],
    ] as const
    for (const [more, error] of rows) {
      expect(outcome(await agent.refresh(token, more)), JSON.stringify(more)).toMatchObject(refused(error))
    }
    expect((await agent.refresh(token)).status).toBe(200)
  })

  test('R7 a narrower audience applies to one access token', async () => {
    const first = await buy()
    const narrow = (await agent.refresh(first.refresh_token, { resource: first.merchant })).json
    expect(decodeJwt(narrow.access_token).aud).toBe(first.merchant)
    const full = (await agent.refresh(narrow.refresh_token)).json
    expect(decodeJwt(full.access_token).aud).toEqual([first.merchant, app.baseUrl])
  })
})

describe('a refresh token in other hands', () => {
  test.each([
    ['R8', 'another client', async () => other],
    ['R8', 'another client with the same key', async () => ({ ...other, dpopKey: agent.dpopKey })],
    ['R9', 'the client with another key', async () => withOtherKey(agent)],
  ])('%s an attempt by %s neither uses nor revokes the refresh token', async (_, __, stranger) => {
    const { clientId, key, dpopKey, principalId } = await stranger()
    const thief = new Agent(app, clientId, key, dpopKey, principalId)
    const first = await buy()
    expect(outcome(await thief.refresh(first.refresh_token))).toMatchObject(refused('invalid_grant'))
    const second = await agent.refresh(first.refresh_token)
    expect(second.status, second.text).toBe(200)
    expect(outcome(await thief.refresh(first.refresh_token))).toMatchObject(refused('invalid_grant'))
    expect(await isActive(second.json.access_token)).toBe(true)
  })

  test('R9 a reuse with a replayed assertion or proof revokes nothing', async () => {
    const first = await buy()
    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const assertion = await agent.assertion()
    const dpop = await agent.proof('POST', `${app.baseUrl}/oauth/token`)
    const second = await agent.mint<TokenAnswer>('/oauth/token', { ...form, client_assertion: assertion }, { dpop })
    expect(second.status).toBe(200)
    const overheard = await agent.mint('/oauth/token', { ...form, client_assertion: assertion })
    expect(outcome(overheard)).toMatchObject([401, { error: 'invalid_client' }])
    expect(outcome(await agent.mint('/oauth/token', form, { dpop }))).toMatchObject(refused('invalid_dpop_proof'))
    expect(await isActive(second.json.access_token)).toBe(true)
  })

  test('R10 a refresh without proof or nonce leaves the refresh token usable', async () => {
    const { refresh_token: token } = await buy()
    const form = await clientForm(app, agent, { grant_type: 'refresh_token', refresh_token: token })
    const url = `${app.baseUrl}/oauth/token`
    const send = (proof: Record<string, string>) =>
      exchange(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...proof },
        body: form,
      })
    expect(outcome(await send({}))).toMatchObject(refused('invalid_dpop_proof'))
    const challenged = await send({ dpop: await agent.proof('POST', url, { nonce: 'stale' }) })
    expect(outcome(challenged)).toMatchObject(refused('use_dpop_nonce'))
    const nonce = challenged.headers.get('dpop-nonce') ?? ''
    expect((await send({ dpop: await agent.proof('POST', url, { nonce }) })).status).toBe(200)
  })
})

describe('what is no good refresh token', () => {
  test('R11 a missing or malformed refresh token, or a token of another kind, is refused', async () => {
    const { code } = await agent.code()
    const tokens = await buy()
    for (const missing of [undefined, '']) {
      expect(outcome(await agent.refresh('', { refresh_token: missing }))).toMatchObject(refused('invalid_request'))
    }
    const wrong = ['x', 'y'.repeat(43), 'ü'.repeat(43), 'y'.repeat(20_000), `${tokens.refresh_token}=`, code]
    for (const token of [...wrong, tokens.access_token, tokens.mandate_jwt]) {
      expect(outcome(await agent.refresh(token)), token.slice(0, 50)).toMatchObject(refused('invalid_grant'))
    }
    expect(outcome(await agent.refresh('y'.repeat(200_000)))).toMatchObject([413, { error: 'body_too_large' }])
    expect((await agent.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('R11 a revoked refresh token is refused', async () => {
    const tokens = await buy()
    await askAboutToken(app, 'revoke', agent, { token: tokens.refresh_token })
    expect(outcome(await agent.refresh(tokens.refresh_token))).toMatchObject(refused('invalid_grant'))
  })

  test('R11 an expired refresh token is refused and does not count as reuse', async () => {
    const tokens = await buy()
    later(86_340)
    expect(await isActive(tokens.refresh_token)).toBe(true)
    later(65)
    expect(outcome(await agent.refresh(tokens.refresh_token))).toMatchObject(refused('invalid_grant'))
    expect(await isActive(tokens.refresh_token)).toBe(false)
    expect(await revocations()).toEqual([])
  })

  test('R12 rotation does not extend the family, and no access token outlives it', async () => {
    const first = await buy()
    const end = (decodeJwt(first.access_token).iat ?? 0) + 86_400
    later(82_800)
    const second = (await agent.refresh(first.refresh_token)).json
    expect(second.expires_in).toBe(300)
    later(3_480)
    const third = (await agent.refresh(second.refresh_token)).json
    const { iat = 0, exp = 0 } = decodeJwt(third.access_token)
    expect(exp).toBeLessThanOrEqual(end + 1)
    expect([third.expires_in, third.expires_in < 300]).toEqual([exp - iat, true])
    expect(await isActive(third.access_token)).toBe(true)
    later(125)
    expect(outcome(await agent.refresh(third.refresh_token))).toMatchObject(refused('invalid_grant'))
    await expectDead([first, second, third])
  })
})

describe('the person', () => {
  test('R13 revoking the agent in the wallet ends every token of every family', async () => {
    const [one, two] = [await buy(), await buy()]
    const rotated = (await agent.refresh(two.refresh_token)).json
    const access = await walletTokens(agent, 'wallet:read')
    expect((await agent.call('GET', '/wallet/agents', access.access_token)).status).toBe(200)
    const person = await Person.signIn(app, agent.principalId)
    const answer = await person.call('POST', `/wallet/agents/${agent.clientId}/revoke`)
    expect([answer.status, answer.json]).toMatchObject([200, { ok: true, families_revoked: 3 }])
    for (const tokens of [one, two, rotated, access]) {
      expect([await isActive(tokens.access_token), await isActive(tokens.refresh_token)]).toEqual([false, false])
      expect((await agent.call('GET', '/wallet/agents', tokens.access_token)).status).toBe(401)
    }
    for (const { refresh_token: token } of [one, rotated, access]) {
      const refusal = await agent.refresh(token)
      expect([refusal.status, refusal.json]).toMatchObject([401, { error: 'invalid_client' }])
    }
    expect([await statusOfMandate(one.mandate_jwt), await statusOfMandate(two.mandate_jwt)]).toEqual([1, 1])
  })

  test('R13 tokens and mandate redeemed during the revocation of the agent are revoked too', async () => {
    const codes = await Promise.all(Array.from({ length: 6 }, () => agent.code({ merchant: 'https://shop.example' })))
    const person = await Person.signIn(app, agent.principalId)
    const [revoked, ...redeemed] = await Promise.all([
      person.call('POST', `/wallet/agents/${agent.clientId}/revoke`),
      ...codes.map(({ code, verifier }) => agent.redeem(code, verifier)),
    ])
    expect(revoked.status).toBe(200)
    for (const { status, json } of redeemed) {
      if (status !== 200) expect([status, json]).toMatchObject([401, { error: 'invalid_client' }])
      else expect([await isActive(json.access_token), await statusOfMandate(json.mandate_jwt)]).toEqual([false, 1])
    }
  })

  test.each(['processing_restricted', 'erased'])(
    'T18 an agent of a person who is %s gets no tokens by refreshing',
    async (flag) => {
      const tokens = await buy()
      const set = (value: boolean) =>
        app.platform.db.query(sql`UPDATE principals SET ${sql.raw(flag)} = ${value} WHERE id = ${agent.principalId}`)
      await set(true)
      expect(outcome(await agent.refresh(tokens.refresh_token))).toMatchObject(refused('access_denied'))
      await set(false)
      expect((await agent.refresh(tokens.refresh_token)).status).toBe(200)
    },
  )
})
