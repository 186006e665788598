import { expect, test, vi } from 'vitest'
import { openSharedDatabase } from '@/test/support/database'
import { sql } from '../../base/core/sql'
import { revokeClientFamilies } from './revoke-family'

const now = new Date('2026-12-01T12:00:00Z')

test('the families of a client are locked in the order of their ids', async () => {
  const [db, other] = (await openSharedDatabase(2)) ?? []
  if (!db || !other) throw new Error('there are two')
  await db.query(
    sql`WITH tenant AS (
          INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
          VALUES ('shop', 'wallet', 'shop', 'Shop', '[]', '[]', '[]', '{}', '{}', ${now}))
        INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'shop', ${now})`,
  )
  await db.query(
    sql`INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details, auth_time, created_at, expires_at)
        SELECT id, 'shop', 'ada', 'shop', 'wallet', 'jkt', '[]', '[]', '[]', ${now}, ${now}, ${new Date(now.getTime() + 60_000)}
          FROM unnest(ARRAY['second', 'first']) id`,
  )
  const { revoking } = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT FROM token_families WHERE id = 'first' FOR UPDATE`)
    const actor = { kind: 'principal', id: 'ada' } as const
    const ending = { clientId: 'shop', reason: 'agent_revoked', actor, now }
    const revoked = other.transaction((theirs) => revokeClientFamilies(theirs, ending))
    await vi.waitFor(async () => {
      const waiting = await other.query(
        sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      expect(waiting).toHaveLength(1)
    })
    expect(await tx.query(sql`SELECT id FROM token_families WHERE id = 'second' FOR UPDATE SKIP LOCKED`)).toEqual([
      { id: 'second' },
    ])
    return { revoking: revoked }
  })
  expect(await revoking).toBe(2)
  await other.close()
  await db.close()
})
