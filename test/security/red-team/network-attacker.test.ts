/** An attacker between agent and server, who reads every request and sends it again, changed or not. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { clientForm, dpopProof, exchange, must } from '../../support/actors'
import { afterPayment, openScene } from './scene'

const scene = openScene()

describe('an attacker on the network', () => {
  /** A request as it was seen on the wire; sending it again is what the attacker can do. */
  const replayable = (path: string, headers: Record<string, string>, body: string) => () =>
    exchange(scene.app.baseUrl + path, { method: 'POST', headers, body })

  test('sends a settlement again and again: the card is charged once', async () => {
    const home = await scene.household()
    const bought = await home.agent.buy({ amount_minor: 900 })
    const url = `${scene.app.baseUrl}/settlement/settle`
    const send = replayable(
      '/settlement/settle',
      {
        'content-type': 'application/json',
        authorization: `DPoP ${bought.access_token}`,
        dpop: await dpopProof(scene.app, home.agent.dpopKey, {
          method: 'POST',
          url,
          accessToken: bought.access_token,
        }),
      },
      JSON.stringify({ mandate: bought.mandate_jwt, idempotency_key: randomUUID() }),
    )
    const before = await scene.books(home)
    must(await send(), 200)
    const again = await Promise.all([send(), send(), send()])
    expect(again.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(await scene.books(home)).toEqual(afterPayment(before, 900))
  })

  test('moves a proof to another address, method or token, and gets nothing', async () => {
    const home = await scene.household()
    const bought = await home.agent.buy({ amount_minor: 900 })
    const other = await home.agent.buy({ amount_minor: 900 })
    const url = `${scene.app.baseUrl}/settlement/settle`
    const right = { method: 'POST', url, accessToken: bought.access_token }
    const proofs = [
      { ...right, method: 'PUT' },
      { ...right, url: `${scene.app.baseUrl}/oauth/token` },
      { ...right, url: 'https://evil.example/settlement/settle' },
      { ...right, accessToken: other.access_token },
    ]
    const before = await scene.books(home)
    for (const proof of proofs) {
      const answer = await exchange(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `DPoP ${bought.access_token}`,
          dpop: await dpopProof(scene.app, home.agent.dpopKey, proof),
        },
        body: JSON.stringify({ mandate: bought.mandate_jwt, idempotency_key: randomUUID() }),
      })
      expect(answer.status).toBe(401)
    }
    expect(await scene.books(home)).toEqual(before)
  })

  test('redeems an intercepted code, with the verifier too: it is bound to the agent’s keys', async () => {
    const home = await scene.household()
    const thief = (await scene.household()).agent
    const { code, verifier } = await home.agent.code({ amount_minor: 900 })
    const before = await scene.books(home)
    for (const guess of [verifier, 'x'.repeat(43)]) {
      const answer = await thief.redeem(code, guess)
      expect([answer.status, answer.json]).toMatchObject([400, { error: 'invalid_grant' }])
    }
    expect(await scene.books(home)).toEqual(before)
  })

  test('sends a pushed request again: assertion and proof were for one use', async () => {
    const home = await scene.household('every_purchase')
    const { form } = await home.agent.purchase()
    const nonce = await home.agent.freshNonce()
    const url = `${scene.app.baseUrl}/oauth/par`
    const send = replayable(
      '/oauth/par',
      {
        'content-type': 'application/x-www-form-urlencoded',
        dpop: await dpopProof(scene.app, home.agent.dpopKey, { method: 'POST', url, nonce }),
      },
      await clientForm(scene.app, home.agent, form),
    )
    must(await send(), 201)
    const before = await scene.books(home)
    expect((await send()).status).toBe(401)
    expect(await scene.books(home)).toEqual(before)
    expect(await home.person.pending()).toHaveLength(1)
  })

  test('takes another host’s name, and is not answered in its name', async () => {
    const { port } = new URL(scene.app.baseUrl)
    const metadata = await exchange(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    })
    expect(metadata.json['issuer']).toBe(scene.app.baseUrl)
    expect(metadata.text).not.toContain('evil.example')
  })
})
