/** Merchants that the federation vouches for: who is listed as verified, gets mandates, and is known by which keys. */
import type { ServerResponse } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { readMerchant, readMerchantsPage, searchDirectory } from '@/server/surfaces/portal'
import { Agent, exchange, must, newPrincipal, newWalletClient, operate, Person } from '../support/actors'
import { withPortal } from '../support/wallet-token'
import { type Claims, type Entity, patch, vouchFor } from './entities'
import { check, checkAgain } from './run-checks'
import { REFUSED, startShops } from './shops'
import { markOf, newEnrolledMerchant, newVouched, showMark } from './vouched'

const shops = await startShops()
const {
  app,
  federation,
  agent,
  nextName,
  newShop,
  newShopBelow,
  listed,
  pushed,
  standing,
  keysOf,
  revoke,
  silenced,
  expectOffTheDirectory,
} = shops
afterAll(shops.close)

describe('a merchant that the federation vouches for', () => {
  test('a merchant whose entity resolves and holds the mark is listed as verified and gets mandates', async () => {
    const entity = await newVouched(app, federation, { name: nextName() })
    const shop = { entity, ...(await newEnrolledMerchant(app, entity.id)) }
    await expectOffTheDirectory(shop, 'unchecked')
    await check(app)
    expect(await listed(shop)).toMatchObject({ verification_status: 'verified', verified_at: expect.any(String) })
    expect(await standing(shop)).toMatchObject({ status: 'verified', checked_at: expect.any(String) })
    expect((await agent.buy({ merchant: shop.audience })).mandate_jwt).toBeTruthy()
  })

  test('a merchant without an entity is listed and paid as the operator says, as before', async () => {
    const shop = await newEnrolledMerchant(app, 'plain', {
      federation_entity_id: null,
      verification_status: 'verified',
    })
    expect(await listed(shop)).toBeDefined()
    expect(await pushed(shop.audience)).toBe(201)
    expect((await keysOf(shop))['error']).toBe('not_found')
  })

  test('the keys of its catalog and receipts come from its resolved metadata, after the policy of its superior', async () => {
    const shop = await newShop()
    const [{ x }] = [shop.entity.catalogKey.jwk as unknown as Claims]
    expect(await keysOf(shop)).toEqual({
      merchant_audience: shop.audience,
      federation_entity_id: shop.entity.id,
      keys: [expect.objectContaining({ kid: `${shop.entity.id.split('/').at(-1)}-catalog`, x })],
    })
    const other = (await newVouched(app, federation, { name: nextName() })).catalogKey.jwk
    const jwks = { keys: [{ ...other, kid: 'ruled' }] }
    must(await patch(app, shop.entity.id, { metadata: { oid4ac_merchant: { jwks } } }), 200)
    await check(app)
    expect(await keysOf(shop)).toMatchObject({ keys: [{ kid: 'ruled' }] })
  })

  test('a merchant whose metadata names no usable keys is not verified', async () => {
    const shop = await newShop()
    shop.entity.claims['metadata'] = { oid4ac_merchant: { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } } }
    await checkAgain(app)
    await expectOffTheDirectory(shop, 'metadata_unusable')
  })

  test('a merchant whose metadata names a key by a text with NUL is not verified', async () => {
    const shop = await newShop()
    const { jwk } = shop.entity.catalogKey
    shop.entity.claims['metadata'] = { oid4ac_merchant: { jwks: { keys: [{ ...jwk, kid: 'a\u0000' }] } } }
    await checkAgain(app)
    await expectOffTheDirectory(shop, 'metadata_unusable')
  })

  test('the operator suspends an enrolled merchant whatever its entity holds', async () => {
    const shop = await newShop()
    must(await operate(app, 'PATCH', `/merchants/${shop.id}`, { verification_status: 'suspended' }), 200)
    expect(await listed(shop)).toBeUndefined()
    expect(await pushed(shop.audience)).toEqual(REFUSED)
    must(await operate(app, 'PATCH', `/merchants/${shop.id}`, { verification_status: 'pending' }), 200)
    expect(await listed(shop)).toBeDefined()
  })

  test('only the operator ties a merchant to an entity, and to none that this server could not resolve', async () => {
    const shop = await newShop()
    const wallet = await newWalletClient(app)
    for (const headers of [{}, { authorization: `Bearer ${wallet.clientId}` }]) {
      const answer = await exchange(`${app.baseUrl}/operator/merchants/${shop.id}`, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ federation_entity_id: null }),
      })
      expect(answer.status).toBe(401)
    }
    for (const entityId of ['', 'no url', 'https://10.0.0.1', 'https://u:p@shop.example', app.baseUrl, 7]) {
      const answer = await operate(app, 'PATCH', `/merchants/${shop.id}`, { federation_entity_id: entityId })
      expect([entityId, answer.status]).toEqual([entityId, 422])
    }
    expect(await listed(shop)).toBeDefined()
  })

  test('a merchant that is tied to another entity has to be verified again, and none makes it as before', async () => {
    const [shop, stranger] = [await newShop(), await federation.entity(nextName())]
    must(await operate(app, 'PATCH', `/merchants/${shop.id}`, { federation_entity_id: stranger.id }), 200)
    await expectOffTheDirectory(shop, 'unchecked')
    await check(app)
    await expectOffTheDirectory(shop, 'unresolvable')
    const alone = { federation_entity_id: null, verification_status: 'verified' }
    must(await operate(app, 'PATCH', `/merchants/${shop.id}`, alone), 200)
    expect(await listed(shop)).toBeDefined()
  })
})

describe('what was under way when the merchant lost its mark', () => {
  test('a code gets no mandate any more, also for an address beneath the merchant', async () => {
    const shop = await newShop()
    const [here, beneath] = [
      await agent.code({ merchant: shop.audience }),
      await agent.code({ merchant: `${shop.audience}/a/b` }),
    ]
    must(await revoke(shop.entity.id), 200)
    for (const { code, verifier } of [here, beneath]) {
      const { status, json } = await agent.redeem(code, verifier)
      expect([status, (json as unknown as Claims)['error']]).toEqual(REFUSED)
    }
    expect(await pushed(`${shop.audience}/a`)).toEqual(REFUSED)
  })

  test('a merchant of its own beneath one that lost its mark is listed and paid as before', async () => {
    const shop = await newShop()
    const beneath = `${shop.audience}/own`
    const own = { merchant_audience: beneath, federation_entity_id: null, verification_status: 'verified' }
    await newEnrolledMerchant(app, shop.entity.id, own)
    must(await revoke(shop.entity.id), 200)
    expect([await pushed(beneath), await pushed(`${beneath}/else`)]).toEqual([201, REFUSED])
  })

  test('an approval that comes too late leads to no mandate', async () => {
    const shop = await newShop()
    const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase' })
    const buyer = await Agent.register(app, principalId)
    const { form, verifier } = await buyer.purchase({ merchant: shop.audience })
    const { request_uri: requestUri } = must(await buyer.push(form), 201)
    must(await revoke(shop.entity.id), 200)
    const person = await Person.signIn(app, principalId)
    const [waiting] = await person.pending()
    must(await person.decide(waiting?.['authorization_id'], 'approve'), 200)
    const { result } = await buyer.authorize(requestUri)
    const { status, json } = await buyer.redeem(result['code'] ?? '', verifier)
    expect([status, (json as unknown as Claims)['error']]).toEqual(REFUSED)
  })

  test('a mandate that was issued before may still be settled in a sandbox', async () => {
    const shop = await newShop()
    const bought = await agent.buy({ merchant: shop.audience })
    must(await revoke(shop.entity.id), 200)
    const settled = await agent.settle(bought.access_token, bought.mandate_jwt, 'late')
    expect([settled.status, settled.json]).toEqual([200, expect.objectContaining({ status: 'succeeded' })])
  })
})

describe('a merchant that loses what it was verified by', () => {
  test('a revoked mark takes the merchant off the directory and refuses new mandates at once', async () => {
    const shop = await newShop()
    must(await revoke(shop.entity.id), 200)
    await expectOffTheDirectory(shop, 'mark_revoked')
    await checkAgain(app)
    await expectOffTheDirectory(shop, 'mark_revoked')
  })

  test('a mark that the merchant may no longer hold does the same, and coming back takes a new mark', async () => {
    const shop = await newShop()
    must(await revoke(shop.entity.id), 200)
    must(await patch(app, shop.entity.id, { reinstate_trust_mark_ids: [markOf(app)] }), 200)
    await check(app)
    await expectOffTheDirectory(shop, 'mark_revoked')
    await showMark(app, shop.entity)
    await checkAgain(app)
    expect(await listed(shop)).toBeDefined()
    expect(await pushed(shop.audience)).toBe(201)
    must(await patch(app, shop.entity.id, { trust_mark_ids: [] }), 200)
    await expectOffTheDirectory(shop, 'mark_revoked')
  })

  test('a suspended entity is refused at once and comes back when it is active again', async () => {
    const shop = await newShop()
    must(await patch(app, shop.entity.id, { status: 'suspended' }), 200)
    await expectOffTheDirectory(shop, 'entity_suspended')
    must(await patch(app, shop.entity.id, { status: 'active' }), 200)
    await check(app)
    expect(await listed(shop)).toBeDefined()
    must(await patch(app, shop.entity.id, { status: 'revoked' }), 200)
    await expectOffTheDirectory(shop, 'entity_revoked')
  })

  test('an intermediate that is suspended takes all merchants below it along at once', async () => {
    const shop = await newShopBelow()
    expect(await listed(shop)).toBeDefined()
    must(await patch(app, shop.superior.id, { status: 'suspended' }), 200)
    await expectOffTheDirectory(shop, 'unresolvable')
    must(await patch(app, shop.superior.id, { status: 'active' }), 200)
    await check(app)
    expect(await listed(shop)).toBeDefined()
  })

  test('a mark that expires ends the verification by itself, without any job', async () => {
    const shop = await newShop()
    app.clock.advance({ seconds: 1700 })
    expect(await listed(shop)).toBeDefined()
    app.clock.advance({ seconds: 100 })
    await expectOffTheDirectory(shop, 'mark_expired')
    await showMark(app, shop.entity)
    await check(app)
    expect(await listed(shop)).toBeDefined()
  })

  test('a chain that an intermediate breaks is seen within a minute', async () => {
    const shop = await newShopBelow()
    shop.superior.about.delete(shop.entity.id)
    expect(await listed(shop)).toBeDefined()
    await checkAgain(app)
    await expectOffTheDirectory(shop, 'unresolvable')
    vouchFor(shop.superior, shop.entity)
    await checkAgain(app)
    expect(await pushed(shop.audience)).toBe(201)
  })

  test('an entity that gives no answer stays verified until its verification lapses, and no longer', async () => {
    const shop = await newShop()
    shop.entity.claims['exp'] = Math.floor(app.clock.now().getTime() / 1000) + 600
    await checkAgain(app)
    silenced(shop, (_, response) => void response.writeHead(502).end())
    await checkAgain(app)
    expect(await listed(shop)).toBeDefined()
    app.clock.advance({ seconds: 600 })
    await expectOffTheDirectory(shop, 'unreachable')
  })

  test('an entity that names a dead superior beside its own cannot keep a broken chain alive', async () => {
    const shop = await newShopBelow()
    shop.superior.about.delete(shop.entity.id)
    shop.entity.claims['authority_hints'] = [shop.superior.id, 'http://127.0.0.1:9999/dead']
    await checkAgain(app)
    await expectOffTheDirectory(shop, 'unresolvable')
  })

  test('an entity that gives no answer cannot put off that its superior vouches for it no more', async () => {
    const silences: Entity['handler'][] = [
      (_, response) => void response.writeHead(429).end(),
      (request) => void request.socket.destroy(),
    ]
    for (const silence of silences) {
      const shop = await newShopBelow()
      silenced(shop, silence)
      await checkAgain(app)
      expect(await listed(shop)).toBeDefined()
      shop.superior.about.delete(shop.entity.id)
      await checkAgain(app)
      await expectOffTheDirectory(shop, 'unresolvable')
    }
  })

  test('a superior that gives no answer, as the entity does not, denies nothing', async () => {
    const shop = await newShopBelow()
    silenced(shop, (_, response) => void response.writeHead(503).end())
    shop.superior.handler = (_, response) => void response.writeHead(503).end()
    await checkAgain(app)
    expect(await listed(shop)).toBeDefined()
  })

  test('a check that began before a revocation does not undo it', async () => {
    const shop = await newShop()
    const entity = federation.find(shop.entity.id) ?? expect.fail('no entity')
    app.clock.advance({ seconds: 31 })
    const answerOnceRevoked = async (response: ServerResponse) => {
      entity.handler = null
      must(await revoke(entity.id), 200)
      const answer = await exchange(`${entity.id}/.well-known/openid-federation`)
      response.writeHead(200, { 'content-type': 'application/entity-statement+jwt' }).end(answer.text)
    }
    entity.handler = (_, response) => void answerOnceRevoked(response)
    await check(app)
    await expectOffTheDirectory(shop, 'mark_revoked')
  })

  test('with the federation switched off no enrolled merchant is verified, and with it on they come back', async () => {
    const shop = await newShop()
    must(await operate(app, 'PUT', '/switches/federation', { enabled: false }), 200)
    expect(await listed(shop)).toBeUndefined()
    expect(await pushed(shop.audience)).toEqual(REFUSED)
    expect(await standing(shop)).toMatchObject({ status: 'federation_off' })
    await check(app)
    must(await operate(app, 'PUT', '/switches/federation', { enabled: true }), 200)
    await checkAgain(app)
    expect(await listed(shop)).toBeDefined()
  })
})

describe('what people see in the portal', () => {
  const portal = async () => withPortal(app, (await newPrincipal(app)).principalId)

  test('the directory and the page of a merchant say that it is verified, through whom and since when', async () => {
    const shop = await newShop()
    const { merchants } = await searchDirectory(await portal(), { words: shop.audience })
    expect(merchants).toEqual([expect.objectContaining({ id: shop.id, merchant_audience: shop.audience })])
    expect(await readMerchant(await portal(), { id: shop.id })).toMatchObject({
      id: shop.id,
      merchant_audience: shop.audience,
      verification: { refusal: null, since: expect.any(String), entity_id: shop.entity.id },
    })
  })

  test('a merchant that lost its mark is found no more, and its page says why and since when', async () => {
    const shop = await newShop()
    const before = app.clock.now()
    must(await revoke(shop.entity.id), 200)
    expect((await searchDirectory(await portal(), { words: shop.audience })).merchants).toEqual([])
    const { verification } = await readMerchant(await portal(), { id: shop.id })
    expect(verification).toMatchObject({ refusal: 'mark_revoked', entity_id: shop.entity.id })
    expect(new Date(verification.since ?? '').getTime()).toBeGreaterThanOrEqual(before.getTime())
  })

  test('the rules of a person say whether their merchants are verified', async () => {
    const shop = await newShop()
    const { principalId } = await newPrincipal(app)
    const person = await Person.signIn(app, principalId)
    const rule = { merchant_audience: shop.audience, verdict: 'deny' }
    must(await person.call('POST', '/wallet/merchant-rules', rule), 200)
    const registered = async () => (await readMerchantsPage(withPortal(app, principalId))).registered
    expect(await registered()).toEqual([{ id: shop.id, merchant_audience: shop.audience, verified: true }])
    must(await patch(app, shop.entity.id, { status: 'suspended' }), 200)
    expect(await registered()).toEqual([{ id: shop.id, merchant_audience: shop.audience, verified: false }])
  })

  test('the page of a merchant that nobody registered is not there', async () => {
    await expect(readMerchant(await portal(), { id: 'unknown' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
