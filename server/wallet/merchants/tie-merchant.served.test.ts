import { expect, test, vi } from 'vitest'
import { openSharedDatabase } from '@/test/support/database'
import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { readEnrolments } from '../enrolments'
import { insertMerchant, lockMerchant, tieMerchant, updateMerchant } from '.'

const ENTITY = 'https://shops.example'
const now = new Date('2026-12-01T12:00:00Z')

async function join(tx: Transaction, id: string): Promise<void> {
  const after = await insertMerchant(tx, {
    id,
    fields: {
      merchant_audience: `https://${id}.example`,
      business_name: id,
      country: 'DE',
      accepts_currency: ['EUR'],
      accepts_rail: ['card'],
      verification_status: 'pending',
      connected_account_id: null,
      max_application_fee_bps: 0,
      contact_email: null,
      min_age: null,
      federation_entity_id: ENTITY,
    },
    now,
  })
  await tieMerchant(tx, { before: null, after, now })
}

async function leave(tx: Transaction, id: string): Promise<void> {
  const before = await lockMerchant(tx, id)
  const after = await updateMerchant(tx, { id, changes: { federation_entity_id: null }, now })
  await tieMerchant(tx, { before, after, now })
}

test('an entity that one merchant leaves while another is tied to it stays enrolled, and goes with the last', async () => {
  const [db, other] = (await openSharedDatabase(2)) ?? []
  if (!db || !other) throw new Error('there are two')
  const enrolled = async () => [...(await readEnrolments(db, 'merchant', [ENTITY])).keys()]
  await db.transaction((tx) => join(tx, 'first'))
  let isLeft = false
  const leaving = await db.transaction(async (tx) => {
    await join(tx, 'second')
    const first = other.transaction((theirs) => leave(theirs, 'first')).then(() => (isLeft = true))
    await vi.waitFor(async () => {
      const waiting = await other.query(
        sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      expect(isLeft || waiting.length > 0).toBe(true)
    })
    return { first }
  })
  await leaving.first
  expect(await enrolled()).toEqual([ENTITY])
  await db.transaction((tx) => leave(tx, 'second'))
  expect(await enrolled()).toEqual([])
  await other.close()
  await db.close()
})
