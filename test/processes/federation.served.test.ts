import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, claimsOf, type Entity, type Federation, startFederation, vouchFor } from '../federation/entities'
import { markOf, newEnrolledMerchant, newVouched } from '../federation/vouched'
import { Agent, exchange, must, newPrincipal } from '../support/actors'
import { at, type Cluster, createDatabase, many, startCluster, until } from './cluster'

const [A, B] = [0, 1]
const PAIRS: [from: string, to: string, first: number, second: number][] = [
  ['A', 'B', A, B],
  ['B', 'A', B, A],
]
const MARK = 'https://marks.example/verified'
/** Entities are checked when a job runs that does so every ten seconds. */
const VERIFIED_WITHIN_MS = 60_000
/** How long a process may take to notice what another one did to the signing keys. */
const NOTICED_WITHIN_MS = 2_000
/** How long those that verify may take to read the keys once more. */
const ROUNDS_WITHIN_MS = 20_000

describe('a federation of two processes on one PostgreSQL', () => {
  let cluster: Cluster
  let federation: Federation
  beforeAll(async () => {
    const env = { SWITCH_FEDERATION: 'true' }
    cluster = await startCluster({ size: 2, databaseUrl: await createDatabase(), env })
    federation = await startFederation(cluster)
  })
  afterAll(async () => {
    await federation.close()
    await cluster.stop()
  })

  /** The operator API of one process. */
  const operateAt = <T>(member: number, method: string, path: string, body: object) =>
    exchange<T>(`${cluster.baseUrl}/operator${path}`, {
      method,
      headers: { ...operator(), 'content-type': 'application/json', ...at(member) },
      body: JSON.stringify(body),
    })
  const operator = () => ({ authorization: `Bearer ${cluster.operatorToken}` })
  const patchAt = async (member: number, { id }: Entity, changes: object) =>
    must(await operateAt(member, 'PATCH', `/federation/subordinates/${encodeURIComponent(id)}`, changes), 200)
  let count = 0
  async function newShop(member: number): Promise<{ shop: Entity; leaf: Entity }> {
    count += 1
    const shop = await federation.entity(`shop-${count}`, { hints: [cluster.baseUrl] })
    const leaf = await federation.entity(`leaf-${count}`, { hints: [shop.id] })
    vouchFor(shop, leaf)
    const enrolment = { entity_id: shop.id, entity_types: ['openid_relying_party'], jwks: shop.jwks }
    must(await operateAt(member, 'POST', '/federation/subordinates', { ...enrolment, trust_mark_ids: [MARK] }), 201)
    return { shop, leaf }
  }

  /** What a process says of a subordinate, of an entity below it, and of its mark. */
  async function seenAt(member: number, { shop, leaf }: { shop: Entity; leaf: Entity }) {
    const headers = at(member)
    const get = (path: string, query: Record<string, string>) => ask(cluster, `/federation/${path}`, query, headers)
    const [list, fetched, own, below, mark] = await Promise.all([
      ask<string[]>(cluster, '/federation/list', {}, headers),
      get('fetch', { sub: shop.id }),
      get('resolve', { sub: shop.id, anchor: cluster.baseUrl }),
      get('resolve', { sub: leaf.id, anchor: cluster.baseUrl }),
      get('trust-mark-status', { sub: shop.id, trust_mark_id: MARK }),
    ])
    return {
      isListed: list.json.includes(shop.id),
      statuses: [fetched.status, own.status, below.status],
      isMarked: mark.json['active'],
    }
  }
  const issueAt = async (member: number, { id }: Entity) =>
    ask(cluster, '/federation/trust-mark', { sub: id, trust_mark_id: MARK }, at(member))
  const statusAt = async (member: number, trust_mark: string) => {
    const url = `${cluster.baseUrl}/federation/trust-mark-status`
    const init = { method: 'POST', headers: at(member), body: new URLSearchParams({ trust_mark }) }
    return claimsOf(await exchange(url, init))['status']
  }

  const visible = { isListed: true, statuses: [200, 200, 200] }
  const hidden = { isListed: false, statuses: [404, 404, 404], isMarked: false }

  test.each(PAIRS)(
    'a subordinate enrolled, suspended, taken back and revoked at %s is so at %s at once',
    async (_from, _to, first, second) => {
      const entities = await newShop(first)
      expect(await seenAt(second, entities)).toEqual({ ...visible, isMarked: false })
      expect((await issueAt(first, entities.shop)).status).toBe(200)
      expect(await seenAt(second, entities)).toEqual({ ...visible, isMarked: true })
      for (const [status, expected] of [
        ['suspended', hidden],
        ['active', { ...visible, isMarked: true }],
        ['revoked', hidden],
      ] as const) {
        await patchAt(first, entities.shop, { status })
        expect([status, await seenAt(second, entities)]).toEqual([status, expected])
      }
    },
  )

  test.each(PAIRS)(
    'a mark revoked and reinstated at %s is so at %s at once, and the old one stays revoked',
    async (_from, _to, first, second) => {
      const { shop } = await newShop(first)
      const old = (await issueAt(second, shop)).text
      expect(await statusAt(second, old)).toBe('active')
      const query = new URLSearchParams({ sub: shop.id, trust_mark_id: MARK })
      const revoked = await exchange(`${cluster.baseUrl}/federation/trust-mark/revoke?${query}`, {
        method: 'POST',
        headers: { ...operator(), ...at(first) },
      })
      expect(revoked.status).toBe(200)
      expect([await statusAt(second, old), (await issueAt(second, shop)).status]).toEqual(['revoked', 404])
      await patchAt(first, shop, { reinstate_trust_mark_ids: [MARK] })
      const fresh = (await issueAt(second, shop)).text
      expect([await statusAt(second, fresh), await statusAt(second, old)]).toEqual(['active', 'revoked'])
    },
  )

  describe('merchants that the federation vouches for', () => {
    let agent: Agent
    beforeAll(async () => {
      const { principalId } = await newPrincipal(cluster, { approval_rule: 'above_limits' })
      agent = await Agent.register(cluster, principalId)
    })

    const isListedAt = async (member: number, id: string) => {
      const url = `${cluster.baseUrl}/discovery/merchants?page_size=100`
      const { json } = await exchange<{ merchants: { id: string }[] }>(url, { headers: at(member) })
      return json.merchants.some((merchant) => merchant.id === id)
    }
    const pushAt = async (member: number, merchant: string) => {
      const { form } = await agent.purchase({ merchant })
      const { status, json } = await agent.mint<{ error?: string }>('/oauth/par', form, at(member))
      return status === 201 ? status : [status, json.error]
    }

    test.each(PAIRS)(
      'a merchant whose mark is revoked at %s is in no directory and is sold nothing at %s at once',
      async (_from, _to, first, second) => {
        const entity = await newVouched(cluster, federation, { name: `merchant-${first}` })
        const { id, audience } = await newEnrolledMerchant(cluster, entity.id)
        await until(
          () => isListedAt(second, id),
          (isListed) => isListed,
          VERIFIED_WITHIN_MS,
        )
        expect(await pushAt(second, audience)).toBe(201)
        const query = new URLSearchParams({ sub: entity.id, trust_mark_id: markOf(cluster) })
        const init = { method: 'POST', headers: { ...operator(), ...at(first) } }
        must(await exchange(`${cluster.baseUrl}/federation/trust-mark/revoke?${query}`, init), 200)
        expect(await isListedAt(second, id)).toBe(false)
        expect(await pushAt(second, audience)).toEqual([400, 'invalid_target'])
        expect([await isListedAt(first, id), await pushAt(first, audience)]).toEqual([false, [400, 'invalid_target']])
      },
    )
  })

  const configurationAt = async (member: number) =>
    exchange(`${cluster.baseUrl}/.well-known/openid-federation`, { headers: at(member) })
  const keysAt = async (member: number) => {
    const answer = await configurationAt(member)
    const jwks = claimsOf(answer)['jwks'] as JSONWebKeySet
    await jwtVerify(answer.text, createLocalJWKSet(jwks))
    return jwks
  }

  /** Takes statements, resolved entities and marks from one process and keys from the other, in turn; gives the kids that signed. */
  async function verifyUntil(isOver: () => boolean, shop: Entity, turn: number, rounds: number[]): Promise<string[]> {
    const kids: string[] = []
    const taken: string[] = []
    for (let round = turn; !isOver(); round += 1) {
      rounds[turn] = round
      const [signer, reader] = [round % 2, (round + 1) % 2]
      const before = await keysAt(reader)
      const resolved = { sub: shop.id, anchor: cluster.baseUrl }
      const mark = await issueAt(signer, shop)
      const answers = [
        mark,
        await ask(cluster, '/federation/fetch', { sub: shop.id }, at(signer)),
        // One of those that ask at the same time: an address may resolve 300 entities in a minute.
        ...(turn === 0 ? [await ask(cluster, '/federation/resolve', resolved, at(signer))] : []),
      ]
      for (const { status, text } of answers) {
        expect(status).toBe(200)
        // Keys that were read just before verify what is signed just after.
        await jwtVerify(text, createLocalJWKSet(before))
        taken.push(text)
        kids.push(decodeProtectedHeader(text).kid ?? '')
      }
      expect(await statusAt(reader, mark.text)).toBe('active')
    }
    for (const member of [A, B]) {
      const after = createLocalJWKSet(await keysAt(member))
      for (const text of taken) await jwtVerify(text, after)
    }
    return kids
  }

  interface Rotation {
    readonly rotated: readonly { readonly next: string }[]
  }
  async function rotateAtA(): Promise<void> {
    const answer = await operateAt<Rotation>(A, 'POST', '/signing-keys/rotate', { purpose: 'federation' })
    const [rotated] = must(answer, 200).rotated
    await until(
      () => keysAt(B),
      ({ keys }) => keys.some(({ kid }) => kid === rotated?.next),
      NOTICED_WITHIN_MS,
    )
  }

  test('three rotations of the federation key at one process break no verification while both sign', async () => {
    const { shop } = await newShop(A)
    const mark = (await issueAt(A, shop)).text
    let isOver = false
    const rounds = [0, 1, 2, 3]
    const verifying = many(rounds.length, (turn) => verifyUntil(() => isOver, shop, turn, rounds))
    const rotating = (async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        await rotateAtA()
        // Keys are published one rotation ahead: nobody may hold those from before this one at the next.
        const before = [...rounds]
        await until(
          async () => rounds.every((round, index) => round > (before[index] ?? 0)),
          (isRead) => isRead,
          ROUNDS_WITHIN_MS,
        )
      }
    })().finally(() => {
      isOver = true
    })
    const [kids] = await Promise.all([verifying, rotating])
    expect(new Set(kids.flat()).size).toBeGreaterThanOrEqual(3)
    expect([await statusAt(A, mark), await statusAt(B, mark)]).toEqual(['active', 'active'])
  })
})
