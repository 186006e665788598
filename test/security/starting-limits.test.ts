/** Decision B14: a person of the portal starts with limits, and not with none. */
import { expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { migrate, migrationsDirectory } from '@/server/base/platform/database/migrate'
import { withApp } from '../oauth/setup'
import { newPrincipal, newWalletClient, operate, Person } from '../support/actors'
import type { App } from '../support/app'
import { Browser, dataOf, mailedToken } from '../support/browser'
import { openBefore } from '../support/upgrade'
import { setAuthentication } from '../support/wallet-token'

let app: App
withApp((started) => {
  app = started
})

const NONE_OF_NUMBER = { velocity_count: null, velocity_window_seconds: null }

async function createPerson(more: Record<string, unknown> = {}) {
  const created = await operate(app, 'POST', '/principals', { wallet_client_id: 'portal', ...more })
  expect(created.status, created.text).toBe(201)
  return Person.signIn(app, created.json['principal_id'] ?? '')
}

const limitsOf = async (person: Person) => (await person.call('GET', '/wallet/limits')).json

test.each([
  [undefined, 'EUR', 5_000, 2_000],
  ['USD', 'USD', 5_000, 2_000],
  ['JPY', 'JPY', 50, 20],
  ['KWD', 'KWD', 50_000, 20_000],
])('B14 a person who is created with the currency %s starts with limits in %s', async (given, currency, day, each) => {
  const person = await createPerson(given === undefined ? {} : { currency: given })
  expect(await limitsOf(person)).toMatchObject({
    ...NONE_OF_NUMBER,
    currency,
    daily_cap_minor: day,
    single_txn_cap_minor: each,
  })
})

test('B14 an unknown currency is 422 and creates no person', async () => {
  const count = () => app.platform.db.query(sql`SELECT count(*)::int AS people FROM principals`)
  const before = await count()
  const refused = await operate(app, 'POST', '/principals', { wallet_client_id: 'portal', currency: 'ZZZ' })
  expect([refused.status, await count()]).toEqual([422, before])
})

test('B14 an address that is taken stays 409 and leaves no limits behind', async () => {
  const body = { wallet_client_id: 'portal', email: 'start@example.com' }
  expect((await operate(app, 'POST', '/principals', body)).status).toBe(201)
  const count = () => app.platform.db.query(sql`SELECT count(*)::int AS rows FROM wallet_limits`)
  const before = await count()
  expect([(await operate(app, 'POST', '/principals', body)).status, await count()]).toEqual([409, before])
})

test('B14 people of other wallet clients and of the sandbox get exactly the limits that are named', async () => {
  const { clientId } = await newWalletClient(app)
  expect(await limitsOf(await createPerson({ wallet_client_id: clientId }))).toBeNull()
  const plain = await newPrincipal(app)
  expect(await limitsOf(await Person.signIn(app, plain.principalId))).toBeNull()
  const limits = { daily_cap_minor: 700, single_txn_cap_minor: null, currency: 'EUR' }
  const limited = await newPrincipal(app, { limits })
  expect(await limitsOf(await Person.signIn(app, limited.principalId))).toMatchObject(limits)
})

test('B14 the pages say what a person starts with until they change it, and raising it needs a confirmation', async () => {
  const email = 'told@example.com'
  const person = await createPerson({ email })
  const page = new Browser(app.platform)
  await page.post('/api/auth/sign-in-link', { email })
  await page.confirm(await mailedToken(app.platform, email))
  const start = { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' }
  const told = async () => [
    dataOf(await page.query('home.overview'))['starting_limits'],
    dataOf(await page.query('limits.read'))['starting_limits'],
  ]
  expect(await told()).toEqual([start, start])
  await setAuthentication(app, person.token, 'rule')
  for (const looser of [{}, { ...start, daily_cap_minor: 5_001 }]) {
    expect((await person.call('POST', '/wallet/limits', looser)).json['error']).toBe('insufficient_user_authentication')
  }
  expect(await limitsOf(person)).toMatchObject(start)
  expect((await person.call('POST', '/wallet/limits', { ...start, daily_cap_minor: 4_000 })).status).toBe(200)
  expect(await told()).toEqual([null, null])
})

test('B14 the upgrade gives no limits to people who exist already', async () => {
  const db = await openBefore('20261126050001_starting_limits')
  await db.session((session) =>
    session.script(`
      INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
        VALUES ('portal', 'wallet', 'portal', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
      INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'portal', now());`),
  )
  await migrate(db, migrationsDirectory())
  expect(await db.query(sql`SELECT 1 FROM wallet_limits`)).toEqual([])
})
