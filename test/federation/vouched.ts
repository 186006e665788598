import { expect } from 'vitest'
import { type Key, must, newKey, operate, type Target } from '../support/actors'
import { ask, type Claims, type Entity, enrol, type Federation } from './entities'

export type Keyed = Entity & { readonly catalogKey: Key }
export type Role = 'merchant' | 'agent_operator'

const marks = { merchant: 'verified-merchant', agent_operator: 'verified-agent-operator' } as const
const types = { merchant: 'oid4ac_merchant', agent_operator: 'oauth_client' } as const

/** The mark that a role takes, by its default name. */
export const markOf = (app: Target, role: Role = 'merchant') => `${app.baseUrl}/trust-marks/${marks[role]}`

/** Has an entity fetch a new mark and show it. */
export async function showMark(app: Target, entity: Entity, role: Role = 'merchant'): Promise<void> {
  const id = markOf(app, role)
  const mark = await ask(app, '/federation/trust-mark', { sub: entity.id, trust_mark_id: id })
  expect(mark.status).toBe(200)
  entity.claims['trust_marks'] = [{ trust_mark_type: id, trust_mark: mark.text }]
}

/** An entity with keys of its own in its metadata, which may hold the mark of its role and shows it. */
export async function newVouched(
  app: Target,
  federation: Federation,
  { role = 'merchant', name, hints = [app.baseUrl] }: { role?: Role; name: string; hints?: readonly string[] },
): Promise<Keyed> {
  const [entity, catalogKey] = [await federation.entity(name, { hints }), await newKey()]
  entity.claims['metadata'] = {
    federation_entity: { organization_name: `${name} Ltd` },
    [types[role]]: { jwks: { keys: [{ ...catalogKey.jwk, kid: `${name}-catalog` }] } },
  }
  must(await enrol(app, entity, { entity_types: [types[role]], trust_mark_ids: [markOf(app, role)] }), 201)
  await showMark(app, entity, role)
  return { ...entity, catalogKey, claims: entity.claims }
}

/** Registers a merchant that an entity vouches for. */
export async function newEnrolledMerchant(app: Target, entityId: string, more: Claims = {}) {
  const audience = `https://${entityId.split('/').at(-1)}.shop.example`
  const created = await operate<Claims>(app, 'POST', '/merchants', {
    merchant_audience: audience,
    business_name: audience,
    country: 'IE',
    accepts_currency: ['EUR'],
    federation_entity_id: entityId,
    ...more,
  })
  must(created, 201)
  return { id: String(created.json['id']), audience }
}
