/** Decision G50: how large bodies may be, what a pushed request must name, and identifiers that are blank. */
import { describe, expect, test } from 'vitest'
import { readyAgent, withApp } from '../oauth/setup'
import { type Agent, exchange, newSetupToken, operate, Person } from '../support/actors'
import type { App } from '../support/app'

let app: App
let agent: Agent
let person: Person
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
  person = await Person.signIn(app, agent.principalId)
})

const JSON_TYPE = 'application/json'
const KIB = 1024

/** A body of exactly this size. */
function bodyOf(type: string, size: number): string {
  const [head, tail] = type === JSON_TYPE ? ['{"pad":"', '"}'] : ['pad=', '']
  return head + 'x'.repeat(size - head.length - tail.length) + tail
}

const send = (path: string, { type = JSON_TYPE, size }: { type?: string; size: number }) =>
  exchange(app.baseUrl + path, { method: 'POST', headers: { 'content-type': type }, body: bodyOf(type, size) })

describe('a body', () => {
  test('G50 of settlement may have 128 KiB', async () => {
    const taken = await send('/settlement/settle', { size: 128 * KIB })
    expect([taken.status, taken.json['error']]).toEqual([401, 'invalid_token'])
    const refused = await send('/settlement/settle', { size: 128 * KIB + 1 })
    expect([refused.status, refused.json['error']]).toEqual([413, 'body_too_large'])
  })

  test.each([
    '/wallet/limits',
    '/oauth/register',
    '/oauth/consent/scan',
    '/wallet/setup-tokens',
    '/oauth/rcs/limit-bump/callback',
  ])('G50 of JSON may have 64 KiB: %s', async (path) => {
    expect((await send(path, { size: 64 * KIB })).status).not.toBe(413)
    const refused = await send(path, { size: 64 * KIB + 1 })
    expect([refused.status, refused.json['error']]).toEqual([413, 'body_too_large'])
  })

  test.each(['/oauth/par', '/oauth/token', '/oauth/introspect', '/oauth/revoke'])(
    'G50 of a form may have 64 KiB: %s',
    async (path) => {
      const type = 'application/x-www-form-urlencoded'
      expect((await send(path, { type, size: 64 * KIB })).status).not.toBe(413)
      const refused = await send(path, { type, size: 64 * KIB + 1 })
      expect([refused.status, refused.json['error']]).toEqual([413, 'body_too_large'])
    },
  )
})

describe('a pushed request', () => {
  test('G50 without client_id is invalid_request', async () => {
    const { form } = await agent.purchase()
    for (const client_id of [undefined, '']) {
      const refused = await agent.mint('/oauth/par', { ...form, client_id })
      expect([refused.status, refused.json]).toMatchObject([400, { error: 'invalid_request' }])
      expect(refused.json['error_description']).toContain('client_id')
    }
    expect((await agent.push(form)).status).toBe(201)
  })
})

describe('an identifier', () => {
  test.each(['', ' ', '\t', '\u3000 '])('G50 %j is none', async (blank) => {
    const refused = [
      await operate(app, 'POST', '/sandbox/setup-tokens', { principal_id: blank }),
      await operate(app, 'POST', '/sandbox/wallet-sessions', {
        principal_id: blank,
        scope: 'wallet:read',
        dpop_jwk: {},
      }),
      await operate(app, 'POST', '/principals', { wallet_client_id: blank }),
      await person.call('POST', '/oauth/consent/scan', { authorization_id: blank, decision: 'approve' }),
      await person.call('POST', '/wallet/setup-intent/confirm', { setup_intent_id: blank }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    const settled = await settle(blank)
    expect([settled.status, settled.text]).toEqual([422, expect.stringContaining('connected_account_id')])
    expect(await newSetupToken(app, agent.principalId)).not.toBe('')
  })

  async function settle(blank: string) {
    const { access_token: token, mandate_jwt: mandate } = await agent.buy()
    return agent.settle(token, mandate, 'blank', { connected_account_id: blank })
  }
})
