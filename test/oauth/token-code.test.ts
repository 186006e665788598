import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import {
  Agent,
  askAboutToken,
  clientForm,
  exchange,
  REDIRECT_URI,
  statusOfMandate,
  type TokenAnswer,
} from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, repeatableRedemption, walletCode, withApp, withOtherKey } from './setup'

let app: App
let agent: Agent
let other: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
  other = await readyAgent(app)
})

const later = (seconds: number) => {
  app.clock.advance({ seconds })
  agent.forgetNonce()
  other.forgetNonce()
}

const isActive = async (token: string) =>
  (await askAboutToken(app, 'introspect', agent, { token, client_id: agent.clientId })).json['active']

const refused = (error: string) => [400, { error }]
const outcome = ({ status, json }: { status: number; json: unknown }) => [status, json]

describe('what a redeemed code gives', () => {
  test('T1 a redeemed code gives exactly the documented members, and the answer is not cached', async () => {
    const { code, verifier, merchant } = await agent.code()
    const answer = await agent.redeem(code, verifier)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'no-store',
    ])
    expect(answer.headers.get('dpop-nonce')).toBeTruthy()
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'DPoP',
      expires_in: 300,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid oid4ac:payment payment:execute',
      authorization_details: [
        {
          type: 'oid4ac_mandate',
          merchant,
          amount_minor: 1200,
          currency: 'EUR',
          line_items: [{ sku: 'book', qty: 1, unit_price_minor: 1200 }],
        },
      ],
      mandate_jwt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+(~[\w-]+)+~$/),
      mandate_id: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  test('T1 a code for wallet access gives no mandate', async () => {
    const { code, verifier } = await walletCode(agent, 'wallet:read audit:read')
    const answer = await agent.redeem(code, verifier)
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: 'DPoP',
      expires_in: 300,
      refresh_token: expect.any(String),
      scope: 'wallet:read audit:read',
      authorization_details: [{ type: 'oid4ac_wallet', actions: ['read', 'audit'] }],
    })
  })

  test('T1, T13 a client that registered only authorization_code gets no refresh token and cannot refresh', async () => {
    const codesOnly = await readyAgent(app, { metadata: { grant_types: ['authorization_code'] } })
    const tokens = await codesOnly.buy()
    expect(tokens).not.toHaveProperty('refresh_token')
    expect((await codesOnly.settle(tokens.access_token, tokens.mandate_jwt, 'codes-only')).status).toBe(200)
    const active = (await agent.buy()).refresh_token
    expect(outcome(await codesOnly.refresh(active))).toMatchObject(refused('unauthorized_client'))
  })
})

describe('a code that is used again', () => {
  test('T2 a second redemption revokes everything that the code gave', async () => {
    const { code, verifier } = await agent.code()
    const { json: tokens } = await agent.redeem(code, verifier)
    expect([await isActive(tokens.access_token), await isActive(tokens.refresh_token)]).toEqual([true, true])
    expect(await statusOfMandate(tokens.mandate_jwt)).toBe(0)
    const second = await agent.redeem(code, verifier)
    expect(outcome(second)).toMatchObject(refused('invalid_grant'))
    expect(second.headers.get('cache-control')).toBe('no-store')
    expect(outcome(await agent.refresh(tokens.refresh_token))).toMatchObject(refused('invalid_grant'))
    expect([await isActive(tokens.access_token), await isActive(tokens.refresh_token)]).toEqual([false, false])
    expect(await statusOfMandate(tokens.mandate_jwt)).toBe(1)
    const spare = await agent.buy()
    const pairs = [
      [tokens.access_token, spare.mandate_jwt],
      [spare.access_token, tokens.mandate_jwt],
    ] as const
    for (const [token, mandate] of pairs) {
      expect(outcome(await agent.settle(token, mandate, 'replayed'))).toMatchObject([401, { error: 'invalid_token' }])
    }
    expect((await agent.settle(spare.access_token, spare.mandate_jwt, 'replayed')).status).toBe(200)
  })

  test('T2 a second redemption ends the wallet access of its token', async () => {
    const { code, verifier } = await walletCode(agent, 'wallet:read')
    const { json: tokens } = await agent.redeem(code, verifier)
    expect((await agent.call('GET', '/wallet/agents', tokens.access_token)).status).toBe(200)
    await agent.redeem(code, verifier)
    expect((await agent.call('GET', '/wallet/agents', tokens.access_token)).status).toBe(401)
  })

  test('T2, T5 a second redemption counts only from the holder of the code and its key', async () => {
    const { code, verifier } = await agent.code()
    const assertion = await agent.assertion()
    const { json: tokens } = await agent.redeem(code, verifier, { client_assertion: assertion })
    const strangers = [other, await withOtherKey(agent)]
    for (const stranger of strangers) {
      expect(outcome(await stranger.redeem(code, verifier))).toMatchObject(refused('invalid_grant'))
    }
    const overheard = await agent.redeem(code, verifier, { client_assertion: assertion })
    expect(outcome(overheard)).toMatchObject([401, { error: 'invalid_client' }])
    expect([await isActive(tokens.access_token), await isActive(tokens.refresh_token)]).toEqual([true, true])
  })

  test('T3 of many parallel redemptions one succeeds, and its tokens are revoked by the others', async () => {
    const { code, verifier } = await agent.code()
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.redeem(code, verifier)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const lost of answers.filter((one) => one !== won[0])) {
      expect(outcome(lost)).toMatchObject(refused('invalid_grant'))
    }
    const tokens = won[0]?.json
    expect(await isActive(tokens?.access_token ?? '')).toBe(false)
    expect(outcome(await agent.refresh(tokens?.refresh_token ?? ''))).toMatchObject(refused('invalid_grant'))
    expect(await statusOfMandate(tokens?.mandate_jwt ?? '')).toBe(1)
  })

  test('T4 a second redemption is detected also after the code has expired', async () => {
    const { code, verifier } = await agent.code()
    const { json: tokens } = await agent.redeem(code, verifier)
    later(61)
    expect(await isActive(tokens.access_token)).toBe(true)
    expect(outcome(await agent.redeem(code, verifier))).toMatchObject(refused('invalid_grant'))
    expect(await isActive(tokens.access_token)).toBe(false)
  })
})

describe('a refused redemption', () => {
  test('T4 a code is accepted just before its 60 seconds are over and refused after', async () => {
    const early = await agent.code()
    const late = await agent.code()
    later(50)
    expect((await agent.redeem(early.code, early.verifier)).status).toBe(200)
    later(15)
    expect(outcome(await agent.redeem(late.code, late.verifier))).toMatchObject(refused('invalid_grant'))
  })

  test('T5 an attempt by another client leaves the code usable', async () => {
    const { code, verifier } = await agent.code()
    const thief = new Agent(app, other.clientId, other.key, agent.dpopKey, other.principalId)
    expect(outcome(await other.redeem(code, verifier))).toMatchObject(refused('invalid_grant'))
    expect(outcome(await thief.redeem(code, verifier))).toMatchObject(refused('invalid_grant'))
    const { status, json: tokens } = await agent.redeem(code, verifier)
    expect(status).toBe(200)
    await other.redeem(code, verifier)
    expect(await isActive(tokens.access_token)).toBe(true)
  })

  test('T6 a missing or wrong code_verifier leaves the code usable', async () => {
    const { code, verifier } = await agent.code()
    for (const wrong of [
      undefined,
      '',
      randomBytes(32).toString('base64url'),
      `${verifier}a`,
      verifier.toUpperCase(),
    ]) {
      const answer = await agent.redeem(code, verifier, { code_verifier: wrong })
      expect(outcome(answer), String(wrong)).toMatchObject(refused('invalid_grant'))
    }
    expect((await agent.redeem(code, verifier)).status).toBe(200)
  })

  test.each([
    ['too short', 'x'.repeat(42)],
    ['too long', 'x'.repeat(129)],
    ['of other characters', `${'x'.repeat(42)}ü`],
    ['with a space', `${'x'.repeat(42)} `],
  ])('T7 a verifier %s is refused although its hash is the challenge', async (_, verifier) => {
    const { form } = await agent.purchase()
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const pushed = await agent.push({ ...form, code_challenge: challenge })
    const { result } = await agent.authorize(pushed.json.request_uri)
    expect(outcome(await agent.redeem(result['code'] ?? '', verifier))).toMatchObject(refused('invalid_grant'))
  })

  test('T8 redirect_uri must equal that of the pushed request to the letter, port included', async () => {
    const { form, verifier } = await agent.purchase()
    const pushedUri = REDIRECT_URI.replace('8765', '49152')
    const pushed = await agent.push({ ...form, redirect_uri: pushedUri })
    const { result } = await agent.authorize(pushed.json.request_uri)
    const code = result['code'] ?? ''
    for (const uri of [REDIRECT_URI, `${pushedUri}/`, `${pushedUri}?`, pushedUri.replace('http', 'HTTP')]) {
      expect(outcome(await agent.redeem(code, verifier, { redirect_uri: uri })), uri).toMatchObject(
        refused('invalid_grant'),
      )
    }
    for (const uri of [undefined, '']) {
      expect(outcome(await agent.redeem(code, verifier, { redirect_uri: uri }))).toMatchObject(
        refused('invalid_request'),
      )
    }
    expect((await agent.redeem(code, verifier, { redirect_uri: pushedUri })).status).toBe(200)
  })

  test('T9 a redemption without proof or nonce consumes nothing, not even the client assertion', async () => {
    const { code, verifier } = await agent.code()
    const form = await clientForm(app, agent, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    })
    const url = `${app.baseUrl}/oauth/token`
    const send = (proof: Record<string, string>) =>
      exchange<TokenAnswer>(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...proof },
        body: form,
      })
    const without = await send({})
    expect(outcome(without)).toMatchObject(refused('invalid_dpop_proof'))
    const challenged = await send({ dpop: await agent.proof('POST', url, { nonce: undefined }) })
    expect(outcome(challenged)).toMatchObject(refused('use_dpop_nonce'))
    expect(challenged.headers.get('cache-control')).toBe('no-store')
    const nonce = challenged.headers.get('dpop-nonce') ?? ''
    expect((await send({ dpop: await agent.proof('POST', url, { nonce }) })).status).toBe(200)
  })

  test('T10 the proof must be by the key of the pushed request', async () => {
    const { code, verifier } = await agent.code()
    expect(outcome(await (await withOtherKey(agent)).redeem(code, verifier))).toMatchObject(refused('invalid_grant'))
    expect((await agent.redeem(code, verifier)).status).toBe(200)
  })
})

describe('asking for less than the code covers', () => {
  test('T11 a subset of the resources becomes the audience, and any other resource is refused', async () => {
    const { form, verifier, merchant } = await agent.purchase()
    const extra = `${app.baseUrl}/`
    const pushed = await agent.push({ ...form, resource: [merchant, app.baseUrl, extra] })
    const { result } = await agent.authorize(pushed.json.request_uri)
    const code = result['code'] ?? ''
    for (const resource of ['https://else.example', [merchant, 'https://else.example'], `${extra}/`, 'extra']) {
      expect(outcome(await agent.redeem(code, verifier, { resource }))).toMatchObject(refused('invalid_target'))
    }
    const narrowed = await agent.redeem(code, verifier, { resource: [extra, merchant] })
    expect(decodeJwt(narrowed.json.access_token).aud).toEqual([extra, merchant])
    const full = await agent.refresh(narrowed.json.refresh_token)
    expect(decodeJwt(full.json.access_token).aud).toEqual([merchant, app.baseUrl, extra])
  })

  test('T11 another spelling of a pushed resource names it, and the audience is as pushed', async () => {
    const { code, verifier, merchant } = await agent.code()
    const capitals = merchant.replace('https://', 'HTTPS://')
    const { json } = await agent.redeem(code, verifier, { resource: [`${merchant}/`, capitals] })
    expect(decodeJwt(json.access_token).aud).toBe(merchant)
    const again = await agent.refresh(json.refresh_token, { resource: `${capitals}/` })
    expect(decodeJwt(again.json.access_token).aud).toBe(merchant)
  })

  test('T12 the granted payment is accepted in any JSON notation; anything else is refused', async () => {
    const { code, verifier, merchant } = await agent.code()
    const granted = {
      type: 'oid4ac_mandate',
      merchant,
      amount_minor: 1200,
      currency: 'EUR',
      line_items: [{ sku: 'book', qty: 1, unit_price_minor: 1200 }],
    }
    const wrong: unknown[] = [
      [{ ...granted, amount_minor: 1201 }],
      [{ ...granted, merchant: 'https://else.example' }],
      [{ ...granted, offer_id: 'offer' }],
      [granted, { type: 'oid4ac_wallet', actions: ['read'] }],
      [{ type: 'unknown' }],
      [],
      granted,
      'text',
    ]
    for (const details of [...wrong.map((value) => JSON.stringify(value)), '{', '[']) {
      const answer = await agent.redeem(code, verifier, { authorization_details: details })
      expect(outcome(answer), details).toMatchObject(refused('invalid_authorization_details'))
    }
    const reordered = JSON.stringify([Object.fromEntries(Object.entries(granted).toReversed())], null, 2)
    const answer = await agent.redeem(code, verifier, { authorization_details: reordered })
    expect(answer.json.authorization_details).toEqual([granted])
    expect(decodeJwt(answer.json.access_token)['authorization_details']).toEqual([granted])
  })

  test.each([
    ['one of several objects', [{ actions: ['read'] }, { actions: ['write'] }]],
    ['some of the actions of one object', [{ actions: ['read', 'write'] }]],
  ])('T12 a redemption for %s narrows the token, scope included', async (_, objects) => {
    const details = objects.map((one) => ({ type: 'oid4ac_wallet', ...one }))
    const { code, verifier } = await walletCode(agent, 'wallet:read wallet:write', {
      authorization_details: JSON.stringify(details),
    })
    const reading = [{ type: 'oid4ac_wallet', actions: ['read'] }]
    const more = JSON.stringify([{ type: 'oid4ac_wallet', actions: ['read', 'audit'] }])
    expect(outcome(await agent.redeem(code, verifier, { authorization_details: more }))).toMatchObject(
      refused('invalid_authorization_details'),
    )
    const { json: narrow } = await agent.redeem(code, verifier, { authorization_details: JSON.stringify(reading) })
    expect([narrow.scope, narrow.authorization_details]).toEqual(['wallet:read', reading])
    expect(decodeJwt(narrow.access_token)).toMatchObject({ scope: 'wallet:read', authorization_details: reading })
    expect((await agent.call('GET', '/wallet/limits', narrow.access_token)).status).toBe(200)
    expect((await agent.call('POST', '/wallet/limits', narrow.access_token, {})).status).toBe(403)
    const { json: full } = await agent.refresh(narrow.refresh_token)
    expect([full.scope, full.authorization_details]).toEqual(['wallet:read wallet:write', details])
  })
})

describe('malformed requests', () => {
  test.each([
    [undefined, 'invalid_request'],
    ['', 'invalid_request'],
    ['password', 'unsupported_grant_type'],
    ['client_credentials', 'unsupported_grant_type'],
    ['urn:ietf:params:oauth:grant-type:token-exchange', 'unsupported_grant_type'],
    ['AUTHORIZATION_CODE', 'unsupported_grant_type'],
    ['authorization_code refresh_token', 'unsupported_grant_type'],
  ])('T13 the grant_type %s is %s', async (grantType, error) => {
    const { code, verifier } = await agent.code()
    expect(outcome(await agent.redeem(code, verifier, { grant_type: grantType }))).toMatchObject(refused(error))
    expect((await agent.redeem(code, verifier)).status).toBe(200)
  })

  test('T14 a missing code is invalid_request, and a value that is no code is invalid_grant', async () => {
    const tokens = await agent.buy()
    const { verifier } = await agent.purchase()
    for (const missing of [undefined, '']) {
      expect(outcome(await agent.redeem('x', verifier, { code: missing }))).toMatchObject(refused('invalid_request'))
    }
    const wrong = ['x', '~', 'ü'.repeat(43), 'y'.repeat(43), 'y'.repeat(20_000)]
    for (const code of [...wrong, tokens.refresh_token, tokens.access_token, tokens.mandate_jwt, tokens.mandate_id]) {
      expect(outcome(await agent.redeem(code, verifier)), code.slice(0, 50)).toMatchObject(refused('invalid_grant'))
    }
    expect([await isActive(tokens.refresh_token), await isActive(tokens.access_token)]).toEqual([true, true])
  })

  test('T14 a code of 200 KB is 413', async () => {
    const { verifier } = await agent.purchase()
    const answer = await agent.redeem('y'.repeat(200_000), verifier)
    expect(outcome(answer)).toMatchObject([413, { error: 'body_too_large' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('two mandates that draw the same place of the status list', () => {
  /** As if another mandate took the place of the first one that is written: the next attempt finds it free. */
  const takeFirstPlace = async () => {
    const { db } = app.platform
    await db.query(sql`CREATE SEQUENCE place_attempts`)
    await db.query(sql`CREATE FUNCTION take_first_place() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('place_attempts') = 1 THEN
          RAISE unique_violation USING CONSTRAINT = 'mandates_status_index_key';
        END IF;
        RETURN NEW;
      END $$`)
    await db.query(
      sql`CREATE TRIGGER first_place BEFORE INSERT ON mandates FOR EACH ROW EXECUTE FUNCTION take_first_place()`,
    )
  }
  const release = async () => {
    await app.platform.db.query(sql`DROP FUNCTION take_first_place CASCADE`)
    await app.platform.db.query(sql`DROP SEQUENCE place_attempts`)
  }

  test.each<Record<string, string>>([{}, { 'idempotency-key': 'place' }])(
    'the second one takes another, with the headers %j',
    async (headers) => {
      const { code, verifier } = await agent.code()
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier }
      await takeFirstPlace()
      try {
        const tokens = await agent.mint<TokenAnswer>('/oauth/token', form, headers)
        expect(tokens.status, tokens.text).toBe(200)
        expect(await statusOfMandate(tokens.json.mandate_jwt)).toBe(0)
      } finally {
        await release()
      }
    },
  )
})

describe('Idempotency-Key', () => {
  const keyed = (key: string, code: string, verifier: string) =>
    agent.mint<TokenAnswer>(
      '/oauth/token',
      { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier },
      { 'idempotency-key': key },
    )

  test('T15 a repeated request issues nothing new, and the first tokens stay valid', async () => {
    const redeem = await repeatableRedemption(agent)
    const { json: first } = await redeem('lost-reply')
    const repeat = await redeem('lost-reply')
    expect([repeat.headers.get('cache-control'), repeat.json]).toEqual(['no-store', first])
    expect(await isActive(first.access_token)).toBe(true)
    expect((await agent.refresh(first.refresh_token)).status).toBe(200)
  })

  test('T15 a repeated request needs a fresh proof', async () => {
    const redeem = await repeatableRedemption(agent)
    await agent.freshNonce()
    const dpop = await agent.proof('POST', `${app.baseUrl}/oauth/token`)
    expect((await redeem('same-proof', {}, { dpop })).status).toBe(200)
    expect(outcome(await redeem('same-proof', {}, { dpop }))).toMatchObject(refused('invalid_dpop_proof'))
  })

  test('T16 an empty Idempotency-Key is refused, and one of 255 characters is accepted', async () => {
    const { code, verifier } = await agent.code()
    expect(outcome(await keyed('', code, verifier))).toMatchObject(refused('invalid_request'))
    expect((await keyed('k'.repeat(255), code, verifier)).status).toBe(200)
  })

  test('T16 an Idempotency-Key can be used again once the access token of its answer has expired', async () => {
    const first = await agent.code()
    expect((await keyed('free-again', first.code, first.verifier)).status).toBe(200)
    later(270)
    const second = await agent.code()
    expect(outcome(await keyed('free-again', second.code, second.verifier))).toMatchObject([
      409,
      { error: 'idempotency_conflict' },
    ])
    later(35)
    expect((await keyed('free-again', second.code, second.verifier)).status).toBe(200)
  })

  test('T17 a stored answer is not repeated once its tokens are revoked', async () => {
    const redeem = await repeatableRedemption(agent)
    const { json: tokens } = await redeem('revoked')
    await askAboutToken(app, 'revoke', agent, { token: tokens.access_token })
    expect(outcome(await redeem('revoked'))).toMatchObject(refused('invalid_grant'))
  })
})

test.each(['processing_restricted', 'erased'])(
  'T18 an agent of a person who is %s gets no tokens, and the code stays usable',
  async (flag) => {
    const flagged = await readyAgent(app)
    const set = (value: boolean) =>
      app.platform.db.query(sql`UPDATE principals SET ${sql.raw(flag)} = ${value} WHERE id = ${flagged.principalId}`)
    const { code, verifier } = await flagged.code()
    await set(true)
    expect(outcome(await flagged.redeem(code, verifier))).toMatchObject(refused('access_denied'))
    await set(false)
    expect((await flagged.redeem(code, verifier)).status).toBe(200)
  },
)
