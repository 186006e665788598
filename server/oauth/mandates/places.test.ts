import { expect, onTestFinished, test } from 'vitest'
import { openMoneyFixture } from '@/test/support/money-fixture'
import { planOf } from '@/test/support/query-plan'
import { sql } from '../../base/core/sql'
import { keepStatusPlaces } from './keep-places'
import { MANDATE_PLACES } from './status-index'
import { countFreePlaces, freePlaceSql, type NewMandate } from './store'

const MANDATES = 2_000

test('a free place is looked up by its number, also with misleading statistics about places in use', async () => {
  const money = await openMoneyFixture()
  onTestFinished(() => money.close())
  const { db } = money.platform
  const mandate = await money.mandate(await money.person())
  // After a night without purchases no mandate has a place.
  await db.query(
    sql`INSERT INTO mandates SELECT (jsonb_populate_record(m, jsonb_build_object('id', m.id || n, 'status_index', NULL))).*
          FROM mandates m, generate_series(1, ${MANDATES}::int) n WHERE m.id = ${mandate.id}`,
  )
  await db.query(sql`UPDATE mandates SET status_index = NULL`)
  await db.query(sql`VACUUM (ANALYZE) mandates`)
  const wanted = { statusIndexes: [7, 8] } as unknown as NewMandate
  const plan = await planOf(db, (explaining) => explaining.query(freePlaceSql(wanted)))
  expect(plan).toContain('Index Scan using mandates_status_index_key on mandates')
})

test('the free places are those that mandates did not use at the last count, and never fewer than none', async () => {
  const money = await openMoneyFixture()
  onTestFinished(() => money.close())
  const { platform } = money
  await money.mandate(await money.person())
  expect(await countFreePlaces(platform.db)).toBe(MANDATE_PLACES)
  await keepStatusPlaces(platform)
  expect(await countFreePlaces(platform.db)).toBe(MANDATE_PLACES - 1)
  await platform.db.query(sql`UPDATE status_lists SET places_used = ${MANDATE_PLACES + 1}`)
  expect(await countFreePlaces(platform.db)).toBe(0)
})
