/** Decisions B1 and B5: how long statements, marks and answers hold, and how long the key that signed them is listed. */
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, must, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { ask, type Claims, claimsOf, type Entity, enrol, type Federation, resolve, startFederation } from './entities'

const MARK = 'https://marks.example/verified'
const DEFAULT_MARK_SECONDS = 2_592_000

let app: App
let federation: Federation
let shop: Entity
beforeAll(async () => {
  app = await startApp({
    env: { SWITCH_FEDERATION: 'true', FEDERATION_STATEMENT_TTL_SECONDS: '900' },
    seed: false,
  })
  federation = await startFederation(app)
  shop = await federation.entity('shop', { hints: [app.baseUrl] })
  must(await enrol(app, shop, { trust_mark_ids: [MARK] }), 201)
})
afterAll(async () => {
  await federation.close()
  await app.close()
})

const timesOf = (answer: { text: string }) => claimsOf(answer) as { iat: number; exp: number }
const issue = () => ask(app, '/federation/trust-mark', { sub: shop.id, trust_mark_id: MARK })

test('B1 a statement lives as long as is configured, and a mark for 30 days by default', async () => {
  const statement = timesOf(await ask(app, '/federation/fetch', { sub: shop.id }))
  expect(statement.exp - statement.iat).toBe(900)
  const mark = timesOf(await issue())
  expect(mark.exp - mark.iat).toBe(DEFAULT_MARK_SECONDS)
})

test('B1 a resolved entity holds as long as the first of its statements and marks', async () => {
  const lifeOf = async () => {
    const { iat, exp } = timesOf(await resolve(app, shop.id))
    return exp - iat
  }
  expect(await lifeOf()).toBe(900)
  shop.claims['exp'] = Math.floor(app.clock.now().getTime() / 1000) + 600
  expect(timesOf(await resolve(app, shop.id)).exp).toBe(shop.claims['exp'])
  delete shop.claims['exp']
  const mark = await issue()
  shop.claims['trust_marks'] = [{ trust_mark_type: MARK, trust_mark: mark.text }]
  expect(await lifeOf()).toBe(900)
  app.clock.advance({ seconds: DEFAULT_MARK_SECONDS - 300 })
  expect(timesOf(await resolve(app, shop.id)).exp).toBe(timesOf(mark).exp)
  app.clock.advance({ seconds: 301 })
  const lapsed = claimsOf(await resolve(app, shop.id))
  expect(lapsed).not.toHaveProperty('trust_marks')
  expect(await lifeOf()).toBe(900)
})

test('B5 a retired key is listed while what it signed may live, and no longer', async () => {
  const listed = async () => {
    const { jwks } = claimsOf(await exchange(`${app.baseUrl}/.well-known/openid-federation`)) as {
      jwks: { keys: Claims[] }
    }
    return jwks.keys.map(({ kid }) => kid)
  }
  const { kid } = decodeProtectedHeader((await issue()).text)
  must(await operate(app, 'POST', '/signing-keys/rotate', { purpose: 'federation' }), 200)
  expect(decodeProtectedHeader((await issue()).text).kid).not.toBe(kid)
  app.clock.advance({ seconds: DEFAULT_MARK_SECONDS - 60 })
  expect(await listed()).toContain(kid)
  app.clock.advance({ seconds: 90 })
  expect(await listed()).not.toContain(kid)
})
