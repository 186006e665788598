/** A wallet client with people of its own, which knows every identifier of another tenant. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { askAboutToken, clientAssertion, exchange, must } from '../../support/actors'
import { openScene, type TenantHousehold } from './scene'

const scene = openScene()

describe('another tenant', () => {
  /** The wallet client's assertion goes where each kind of request carries it. */
  async function asWalletOf({ wallet }: TenantHousehold, path: string, body?: object) {
    const assertion = await clientAssertion(scene.app, wallet)
    if (body === undefined) {
      const headers = { authorization: `PrivateKeyJwt ${assertion}` }
      return exchange(`${scene.app.baseUrl}${path}?client_id=${wallet.clientId}`, { headers })
    }
    const members = { client_id: wallet.clientId, client_assertion: assertion, ...body }
    const headers = { 'content-type': 'application/json' }
    return exchange(scene.app.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(members) })
  }

  test('does not learn whether a token of another tenant lives, and cannot end it', async () => {
    const [home, stranger] = [await scene.household(), await scene.household()]
    const bought = await home.agent.buy({ amount_minor: 500 })
    for (const token of [bought.access_token, bought.refresh_token]) {
      const seen = await askAboutToken(scene.app, 'introspect', stranger.wallet, { token })
      expect([seen.status, seen.json]).toEqual([200, { active: false }])
      expect((await askAboutToken(scene.app, 'revoke', stranger.wallet, { token })).status).toBe(200)
    }
    const settled = await home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID())
    expect(settled.status, settled.text).toBe(200)
  })

  test('reads no audit chain but its own', async () => {
    const [home, stranger] = [await scene.household(), await scene.household()]
    const bought = await home.agent.buy({ amount_minor: 500 })
    must(await home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID()), 200)
    const range = (of: TenantHousehold, by: TenantHousehold) => asWalletOf(by, `/audit/${of.wallet.clientId}/range`)
    const foreign = await range(home, stranger)
    const unknown = await asWalletOf(stranger, `/audit/${randomUUID()}/range`)
    expect([foreign.status, foreign.json['error']]).toEqual([unknown.status, unknown.json['error']])
    expect(foreign.status).toBeGreaterThanOrEqual(400)
    expect((await range(home, home)).text).toContain('oid4ac.payment.succeeded')
    expect((await range(stranger, stranger)).text).not.toContain(home.principalId)
  })

  test('rules nothing for agents of another tenant', async () => {
    const [home, stranger] = [await scene.household(), await scene.household()]
    const merchant = encodeURIComponent('https://shop.example')
    for (const verdict of ['deny', 'allow']) {
      const answer = await asWalletOf(stranger, `/wallet/policy/${merchant}/${verdict}`, {
        agent_client_id: home.agent.clientId,
      })
      expect([verdict, answer.status]).toEqual([verdict, 404])
    }
    expect((await home.agent.buy({ merchant: 'https://shop.example', amount_minor: 100 })).mandate_jwt).not.toBe('')
  })

  test('sees and decides nothing of another person with a wallet token', async () => {
    const [home, stranger] = [await scene.household('every_purchase'), await scene.household()]
    await home.agent.push((await home.agent.purchase()).form)
    const [waiting] = await home.person.pending()
    const id = waiting?.['authorization_id']
    const agent = home.agent.clientId
    const answers = [
      await stranger.person.decide(id, 'approve'),
      await stranger.person.decide(id, 'decline'),
      await stranger.person.call('GET', `/oauth/consent/scan/pending/${String(id)}`),
      await stranger.person.call('GET', `/wallet/agents/${agent}`),
      await stranger.person.call('POST', `/wallet/agents/${agent}/revoke`),
      await stranger.person.call('POST', `/wallet/agents/${agent}/pause`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await stranger.person.pending()).toEqual([])
    expect((await home.person.decide(id, 'approve')).status).toBe(200)
    const before = await scene.books(stranger)
    expect([before.charged, before.messages]).toEqual([0, []])
  })

  test('gets no code for a request that another agent has pushed', async () => {
    const [home, stranger] = [await scene.household(), await scene.household()]
    const pushed = must(await home.agent.push((await home.agent.purchase()).form), 201)
    const query = new URLSearchParams({ client_id: stranger.agent.clientId, request_uri: pushed.request_uri })
    const answer = await exchange(`${scene.app.baseUrl}/oauth/authorize?${query}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect((await home.agent.authorize(pushed.request_uri)).result).toHaveProperty('code')
  })
})
