import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Person } from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'
import { sql } from '../../base/core/sql'
import { demoPerson } from './demo-person'
import { seedPortalTenant, seedSandbox } from './index'

let app: App

beforeEach(async () => {
  app = await startApp({ seed: false })
})
afterEach(() => app.close())

const asSeeded = {
  email: 'ada@demo.test',
  card: { brand: 'visa', last4: '4242' },
  limits: { currency: 'EUR', digits: 2, dailyCapMinor: 5_000, singleTxnCapMinor: 2_000 },
}

const count = async (table: string) => {
  const [row] = await app.platform.db.query<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${sql.raw(table)}`)
  return row?.n
}

describe('the first start', () => {
  test('creates a person who is ready to pay', async () => {
    expect(await seedSandbox(app.platform)).toEqual(asSeeded)
  })

  test('creates everything once when several processes start', async () => {
    const { platform } = app
    await Promise.all([seedPortalTenant(platform), seedPortalTenant(platform)])
    const seeded = await Promise.all([seedSandbox(platform), seedSandbox(platform), seedSandbox(platform)])
    expect(seeded).toEqual([asSeeded, asSeeded, asSeeded])
    expect(await Promise.all([count('principals'), count('card_mandates'), count('audit_entries')])).toEqual([1, 1, 1])
  })
})

describe('a later start', () => {
  test('leaves changed limits and removed cards as they are', async () => {
    await seedSandbox(app.platform)
    const ada = await Person.signIn(app, demoPerson.id)
    await ada.call('POST', '/wallet/limits', { daily_cap_minor: 100, currency: 'EUR' })
    await app.platform.db.query(sql`UPDATE card_mandates SET status = 'removed', is_default = false`)
    expect(await seedSandbox(app.platform)).toEqual({
      ...asSeeded,
      card: null,
      limits: { currency: 'EUR', digits: 2, dailyCapMinor: 100, singleTxnCapMinor: null },
    })
  })

  test('the seed returns the digits that ISO 4217 gives the currency of changed limits', async () => {
    await seedSandbox(app.platform)
    const ada = await Person.signIn(app, demoPerson.id)
    for (const [currency, digits] of [
      ['HUF', 2],
      ['IQD', 3],
      ['JPY', 0],
    ] as const) {
      await ada.call('POST', '/wallet/limits', { daily_cap_minor: 100, currency })
      expect((await seedSandbox(app.platform))?.limits).toMatchObject({ currency, digits, dailyCapMinor: 100 })
    }
  })

  test('does not bring back an erased person', async () => {
    await seedSandbox(app.platform)
    await app.platform.db.query(sql`UPDATE principals SET erased = true, email = NULL, display_name = NULL`)
    expect(await seedSandbox(app.platform)).toBeNull()
    expect(await count('principals')).toBe(1)
  })

  test('does not take an e-mail address from another person', async () => {
    await app.platform.db.query(
      sql`INSERT INTO principals (id, tenant_id, email, created_at) VALUES ('other', 'portal', 'Ada@demo.test', now())`,
    )
    expect(await seedSandbox(app.platform)).toBeNull()
    expect(await count('principals')).toBe(1)
  })
})
