/** A service that is a trust anchor, with merchants that federations of their own vouch for. */
import { expect } from 'vitest'
import { Agent, exchange, must, newPrincipal, operate } from '../support/actors'
import { startApp } from '../support/app'
import { ask, type Claims, type Entity, startFederation, vouchFor } from './entities'
import { check } from './run-checks'
import { type Keyed, markOf, newEnrolledMerchant, newVouched } from './vouched'

/** What a pushed request for a merchant that is not in the directory is answered. */
export const REFUSED = [400, 'invalid_target']

export interface Shop {
  readonly entity: Keyed
  readonly id: string
  readonly audience: string
}

/** The request that enrols an intermediate. */
export const subordinate = ({ id, jwks }: Entity) => ({ entity_id: id, entity_types: ['federation_entity'], jwks })

/** Starts the service, and returns what a suite asks of it and of its merchants. */
export async function startShops() {
  const app = await startApp({
    env: { SWITCH_FEDERATION: 'true', TRUST_MARK_TTL_SECONDS: '1800', REQUESTS_PER_MINUTE: '0' },
  })
  const federation = await startFederation(app)
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  const agent = await Agent.register(app, principalId)
  let count = 0
  const nextName = () => `shop${(count += 1)}`

  /** A merchant that was checked and found verified. */
  async function newShop({ hints }: { hints?: readonly string[] } = {}): Promise<Shop> {
    const entity = await newVouched(app, federation, { name: nextName(), ...(hints === undefined ? {} : { hints }) })
    const shop = { entity, ...(await newEnrolledMerchant(app, entity.id)) }
    await check(app)
    return shop
  }

  /** A merchant whose chain leads through an intermediate. */
  async function newShopBelow(): Promise<Shop & { superior: Entity }> {
    const superior = await federation.entity(nextName(), { hints: [app.baseUrl] })
    must(await operate(app, 'POST', '/federation/subordinates', subordinate(superior)), 201)
    const entity = await newVouched(app, federation, { name: nextName(), hints: [superior.id] })
    vouchFor(superior, entity)
    const shop = { entity, superior, ...(await newEnrolledMerchant(app, entity.id)) }
    await check(app)
    return shop
  }

  async function listed({ id }: Pick<Shop, 'id'>): Promise<Claims | undefined> {
    const { json } = await exchange<{ merchants: Claims[] }>(`${app.baseUrl}/discovery/merchants?page_size=100`)
    return json.merchants.find((entry) => entry['id'] === id)
  }

  async function pushed(merchant: string): Promise<unknown> {
    agent.forgetNonce()
    const { form } = await agent.purchase({ merchant })
    const { status, json } = await agent.push(form)
    return status === 201 ? status : [status, (json as unknown as Claims)['error']]
  }

  /** How the operator sees the merchant. */
  async function standing({ id }: Pick<Shop, 'id'>): Promise<Claims> {
    const { json } = await operate<{ merchants: Claims[] }>(app, 'GET', '/merchants?page_size=100')
    return json.merchants.find((merchant) => merchant['id'] === id)?.['federation'] as Claims
  }

  const keysOf = async ({ audience }: Pick<Shop, 'audience'>) =>
    (await ask(app, '/federation/merchant-keys', { merchant: audience })).json

  const revoke = (entityId: string) =>
    exchange(
      `${app.baseUrl}/federation/trust-mark/revoke?${new URLSearchParams({ sub: entityId, trust_mark_id: markOf(app) })}`,
      { method: 'POST', headers: { authorization: `Bearer ${app.operatorToken}` } },
    )

  /** Has the entity of a shop answer in this way, whatever it is asked. */
  function silenced({ entity }: Pick<Shop, 'entity'>, handler: Entity['handler']): void {
    ;(federation.find(entity.id) ?? expect.fail('no entity')).handler = handler
  }

  async function expectOffTheDirectory(shop: Shop, status: string): Promise<void> {
    expect(await listed(shop)).toBeUndefined()
    expect(await pushed(shop.audience)).toEqual(REFUSED)
    expect(await standing(shop)).toMatchObject({ status })
    expect(await keysOf(shop)).toMatchObject({ keys: [] })
  }

  return {
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
    close: async () => {
      await federation.close()
      await app.close()
    },
  }
}
