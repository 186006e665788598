import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changesTopic } from '@/server/base/core/announce-change'
import { insertConsent } from '@/test/support/browser'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { addPasskey } from '@/test/support/passkey-holder'
import { planOf } from '@/test/support/query-plan'
import { sql } from '../../base/core/sql'
import { FRESH_SESSION_SECONDS } from '../../identity/passkeys/contract'
import { listAgents, readAgent, revokeAgent } from './index'
import { listAgentRows } from './store'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

const revoke = (person: Person, clientId = person.agentId) =>
  revokeAgent.verb(fixture.wallet(person), { client_id: clientId })
const read = (person: Person, clientId = person.agentId) =>
  readAgent.verb(fixture.wallet(person), { client_id: clientId })
const remember = (person: Person) =>
  fixture.platform.db.query(
    sql`INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at, up_to_minor, currency, merchant_name, card_id)
     SELECT ${person.principalId}, ${person.agentId}, ${`merchant:${MERCHANT}`}, ${fixture.clock.now()}, 2000, 'EUR', 'Tallow Books',
            (SELECT id FROM chargeable_cards WHERE principal_id = ${person.principalId})`,
  )

describe('200', () => {
  test('lists the agents of the person, newest first, with when each was used last', async () => {
    const person = await fixture.person({ card: null })
    fixture.clock.advance(60)
    const second = await fixture.agent(person.principalId)
    fixture.clock.advance(60)
    const { family_id: familyId } = await fixture.mandate(person)
    const used = fixture.clock.now().toISOString()
    expect(await listAgents.verb(fixture.wallet(person))).toMatchObject({
      agents: [
        {
          id: second,
          client_id: second,
          label: 'Claude on my laptop',
          purpose: '',
          last_used_at: null,
          revoked: false,
          scopes: [],
        },
        { client_id: person.agentId, last_used_at: used },
      ],
    })
    fixture.clock.advance(60)
    await fixture.platform.db.query(
      sql`INSERT INTO refresh_tokens (token_hash, family_id, client_id, created_at, expires_at) VALUES (${randomUUID()}, ${familyId}, ${person.agentId}, ${fixture.clock.now()}, ${fixture.clock.now()})`,
    )
    expect(await read(person)).toMatchObject({ last_used_at: fixture.clock.now().toISOString() })
  })

  test('reads when an agent was used last from indexes, however often it was', async () => {
    const person = await fixture.person({ card: null })
    const { family_id: familyId } = await fixture.mandate(person)
    const { db } = fixture.platform
    await db.query(
      sql`INSERT INTO token_families SELECT (jsonb_populate_record(f, jsonb_build_object('id', f.id || n, 'created_at', f.created_at - n * interval '1 second'))).*
       FROM token_families f, generate_series(1, 4000) n WHERE f.id = ${familyId}`,
    )
    await db.query(
      sql`INSERT INTO refresh_tokens (token_hash, family_id, client_id, created_at, expires_at)
       SELECT id, id, client_id, created_at, expires_at FROM token_families WHERE client_id = ${person.agentId}`,
    )
    await db.query(sql`VACUUM (ANALYZE) token_families, refresh_tokens`)
    const plan = await planOf(db, (explaining) => listAgentRows(explaining, person.principalId))
    expect(plan).toContain('token_families_client')
    expect(plan).toContain('refresh_tokens_client')
    expect(plan).not.toMatch(/Seq Scan on (token_families|refresh_tokens)/)
  })

  test('revoking ends every family with its mandates, forgets approvals and declines what the agent asks', async () => {
    const person = await fixture.person({ card: null })
    const other = await fixture.agent(person.principalId)
    const mandates = [await fixture.mandate(person), await fixture.mandate(person)]
    const untouched = await fixture.mandate(person, { agentId: other })
    await remember(person)
    const waiting = await insertConsent(fixture.platform, person)
    const expired = await insertConsent(fixture.platform, person, { lifetimeSeconds: -1 })
    const theirs = await insertConsent(fixture.platform, { ...person, agentId: other })
    const reply = await revoke(person)
    expect(reply).toEqual({
      ok: true,
      client_id: person.agentId,
      revoked_at: fixture.clock.now().toISOString(),
      families_revoked: 2,
    })
    for (const { id, family_id: familyId } of mandates) {
      expect(await fixture.count('mandates', sql`id = ${id} AND revoked_at IS NOT NULL`)).toBe(1)
      const where = sql`id = ${familyId} AND revoked_at IS NOT NULL AND revoked_reason = 'agent_revoked'`
      expect(await fixture.count('token_families', where)).toBe(1)
    }
    expect(await fixture.count('mandates', sql`id = ${untouched.id} AND revoked_at IS NULL`)).toBe(1)
    expect(await fixture.count('remembered_approvals', sql`client_id = ${person.agentId}`)).toBe(0)
    const status = async (id: string) => {
      const rows = await fixture.platform.db.query<{ status: string }>(
        sql`SELECT status FROM consents WHERE authorization_id = ${id}`,
      )
      return rows[0]?.status
    }
    expect([await status(waiting), await status(expired), await status(theirs)]).toEqual([
      'declined',
      'pending',
      'pending',
    ])
    const events = sql`principal_id = ${person.principalId} AND event = 'oid4ac.token.revoked'`
    expect(await fixture.count('audit_entries', events)).toBe(2)
    expect(await read(person)).toMatchObject({ revoked: true })
  })

  test('a repeat answers when it was revoked first and ends nothing more', async () => {
    const person = await fixture.person({ card: null })
    await fixture.mandate(person)
    const first = await revoke(person)
    fixture.clock.advance(60)
    const again = await revoke(person)
    expect(again).toEqual(Object.assign({}, first, { families_revoked: 0 }))
  })

  test('of parallel revocations one ends the families', async () => {
    const person = await fixture.person({ card: null })
    await fixture.mandate(person)
    const replies = await Promise.all(Array.from({ length: 5 }, () => revoke(person)))
    const counts = replies.map((reply) => ('families_revoked' in reply ? reply.families_revoked : -1))
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1])
  })

  test('announces the revocation to the pages of the person', async () => {
    const person = await fixture.person({ card: null })
    let heard = 0
    const stop = fixture.platform.cache.subscribe(changesTopic(person.principalId), () => {
      heard += 1
    })
    await revoke(person)
    stop()
    expect(heard).toBe(1)
  })
})

describe('revoking in the portal', () => {
  test('B6 takes one press in any session, also of a person who has a passkey', async () => {
    const person = await fixture.person({ card: null })
    await fixture.mandate(person)
    const call = fixture.wallet(person)
    await addPasskey(call)
    const authenticatedAt = new Date(call.now.getTime() - FRESH_SESSION_SECONDS * 1000)
    const session = { id: 'old', method: 'magic_link', authenticatedAt } as const
    const old = { ...call, actor: { ...call.actor, session } }
    const agent = { client_id: person.agentId }
    expect(await revokeAgent.verb(old, agent)).toMatchObject({ families_revoked: 1 })
    expect(await read(person)).toMatchObject({ revoked: true })
    expect(await revokeAgent.verb(old, agent)).toMatchObject({ families_revoked: 0 })
  })

  test("answers 404 for another person's agent and for an unknown one", async () => {
    const [ada, eve] = [await fixture.person({ card: null }), await fixture.person({ card: null })]
    for (const id of [ada.agentId, fixture.tenantId, 'unknown']) {
      await expect(revokeAgent.verb(fixture.wallet(eve), { client_id: id })).rejects.toMatchObject({
        code: 'not_found',
        description: 'There is no such agent.',
      })
    }
  })

  test('waits for the holder of the lock of the person, and locks nothing of the agent meanwhile', async () => {
    const person = await fixture.person({ card: null })
    const statements: string[] = []
    const { db } = fixture.platform
    const watched = {
      ...fixture.platform,
      db: {
        ...db,
        query: db.query.bind(db),
        transaction: <T>(work: Parameters<typeof db.transaction<T>>[0]) =>
          db.transaction<T>((tx) =>
            work({
              inTransaction: true,
              query: (statement) => {
                statements.push(statement.text)
                return tx.query(statement)
              },
              send: (statement) => tx.send(statement),
              count: (...counted) => tx.count(...counted),
            }),
          ),
      },
    }
    await revokeAgent.verb(fixture.wallet(person, watched), { client_id: person.agentId })
    const locks = statements.filter((text) => /FOR (NO KEY )?UPDATE/.test(text))
    expect(locks[0]).toMatch(/FROM principals/)
    expect(locks[1]).toMatch(/FROM clients/)
  })
})

describe('404', () => {
  test("another person's agent, a wallet client and an unknown id are answered alike", async () => {
    const [ada, eve] = [await fixture.person({ card: null }), await fixture.person({ card: null })]
    const refusals = await Promise.all(
      [ada.agentId, fixture.tenantId, 'unknown', ''].flatMap((id) => [
        read(eve, id).catch((error: unknown) => error),
        revoke(eve, id).catch((error: unknown) => error),
      ]),
    )
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'not_found', description: 'There is no such agent.' })
    }
    expect(await read(ada)).toMatchObject({ revoked: false })
  })
})
