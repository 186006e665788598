/** Verified merchants whose entities or superiors take their time: what is decided meanwhile, and for whom. */
import { afterAll, describe, expect, test } from 'vitest'
import { must, operate } from '../support/actors'
import { vouchFor } from './entities'
import { check, checkAgain, checkQuick } from './run-checks'
import { startShops, subordinate } from './shops'
import { newEnrolledMerchant, newVouched } from './vouched'

const shops = await startShops()
const { app, federation, nextName, newShop, newShopBelow, listed, standing, silenced, expectOffTheDirectory } = shops
afterAll(shops.close)

describe('merchants that are slow to answer', () => {
  test('an entity that takes all the time there is cannot put off that its superior vouches for it no more', async () => {
    const shop = await newShopBelow()
    silenced(shop, () => undefined)
    await checkAgain(app)
    expect(await listed(shop)).toBeDefined()
    shop.superior.about.delete(shop.entity.id)
    await checkAgain(app)
    await expectOffTheDirectory(shop, 'unresolvable')
    silenced(shop, null)
  })

  test('a merchant whose superior takes longer than two seconds is verified all the same', async () => {
    const superior = await federation.entity(nextName(), { hints: [app.baseUrl] })
    must(await operate(app, 'POST', '/federation/subordinates', subordinate(superior)), 201)
    const entity = await newVouched(app, federation, { name: nextName(), hints: [superior.id] })
    vouchFor(superior, entity)
    superior.handler = (request, response) => {
      setTimeout(() => federation.answer(superior, request, response), 2_500)
    }
    const shop = { entity, ...(await newEnrolledMerchant(app, entity.id)) }
    await check(app)
    expect(await standing(shop)).toMatchObject({ status: 'verified' })
    superior.handler = null
  })

  test('merchants that never answer hold up nobody else', async () => {
    const slow = await Promise.all(Array.from({ length: 24 }, () => newVouched(app, federation, { name: nextName() })))
    const slowShops = await Promise.all(
      slow.map(async (entity) => ({ entity, ...(await newEnrolledMerchant(app, entity.id)) })),
    )
    await check(app)
    for (const shop of slowShops) silenced(shop, () => undefined)
    const quick = await newShop()
    app.clock.advance({ seconds: 31 })
    await checkQuick(app)
    // Those are known to be slow now: the shop is checked without them, and loses its keys at once.
    quick.entity.claims['metadata'] = {}
    app.clock.advance({ seconds: 31 })
    federation.asked.length = 0
    await checkQuick(app)
    await expectOffTheDirectory(quick, 'metadata_unusable')
    const names = slowShops.map(({ entity }) => entity.id.split('/').at(-1))
    expect(federation.asked.filter((path) => names.includes(path.split('/')[0]))).toEqual([])
    const [first = expect.fail('no shop')] = slowShops
    expect(await listed(first)).toBeDefined()
    // One that answers quickly again is back among all others.
    silenced(first, null)
    await checkAgain(app)
    federation.asked.length = 0
    app.clock.advance({ seconds: 31 })
    await checkQuick(app)
    expect(federation.asked).toContain(`${names[0]}/.well-known/openid-federation`)
    for (const shop of slowShops) silenced(shop, null)
  }, 60_000)
})
