/** A thief holds an app's token for the wallet, with its key: the app may read and write, and the person was asked long ago. */
import { describe, expect, test } from 'vitest'
import { must, newKey, Person } from '../../support/actors'
import { setAuthentication } from '../../support/wallet-token'
import { LIMITS, openScene } from './scene'

const scene = openScene()

async function robbed() {
  const home = await scene.household('every_purchase')
  const token = await Person.signIn(scene.app, home.principalId)
  await setAuthentication(scene.app, token.token, 'mail', 60 * 60)
  return { home, token }
}

describe('a thief with a wallet token', () => {
  test('lets no agent pay more, neither by limits and rules nor by an approval', async () => {
    const { home, token } = await robbed()
    await home.agent.push((await home.agent.purchase({ amount_minor: 1_500 })).form)
    const [waiting] = await home.person.pending()
    const merchant = { merchant_audience: 'https://shop.example', agent_client_id: null }
    must(await home.person.call('POST', '/wallet/merchant-rules', { ...merchant, verdict: 'deny' }), 200)
    must(await home.person.call('POST', '/wallet/freeze'), 200)
    const before = await scene.books(home)
    const acts: readonly (readonly [string, object?])[] = [
      ['/wallet/limits', { ...LIMITS, daily_cap_minor: 900_000 }],
      ['/wallet/limits', {}],
      ['/wallet/merchant-rules', { ...merchant, verdict: 'allow' }],
      ['/wallet/unfreeze'],
      ['/wallet/setup-intent'],
      ['/wallet/notifications', { rcs_enabled: true, rcs_phone_e164: '+353851234567', email_enabled: true }],
    ]
    for (const [path, body] of acts) {
      const { status, json } = await token.call('POST', path, body)
      expect([path, status, json['error']]).toEqual([path, 401, 'insufficient_user_authentication'])
    }
    const decided = await token.decide(waiting?.['authorization_id'], 'approve')
    expect(decided.status).toBeGreaterThanOrEqual(400)
    expect(await scene.books(home)).toEqual(before)
  })

  test('can stop payments, which the audit chain tells', async () => {
    const { home, token } = await robbed()
    must(await token.call('POST', '/wallet/freeze'), 200)
    expect((await scene.books(home)).audit.at(-1)).toBe('oid4ac.limits.changed')
  })

  test('gets nothing without the key, nor for anybody else’s wallet', async () => {
    const { home, token } = await robbed()
    const stranger = await scene.household()
    const keyless = new Person(scene.app, home.principalId, token.token, await newKey())
    expect((await keyless.call('GET', '/wallet/limits')).status).toBe(401)
    const { json } = await token.call<{ agents: { client_id: string }[] }>('GET', '/wallet/agents')
    expect(json.agents.map(({ client_id: id }) => id)).toEqual([home.agent.clientId])
    expect((await token.call('GET', `/wallet/agents/${stranger.agent.clientId}`)).status).toBe(404)
  })
})
