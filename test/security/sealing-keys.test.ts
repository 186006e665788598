/** Decision A4: the key that seals is replaced while the service runs on. */
import { createECDH, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { OpenDatabase } from '@/server/base/platform/database/client'
import { jobHandlers } from '@/server/jobs'
import { prepareSealedValues, RESEAL_JOB, resealValues } from '@/server/reseal'
import { readMessages, readPushKey } from '@/server/shared/notifications'
import { runDueJobs } from '@/server/shared/queue'
import { newRequest, readResult } from '../credentials/request-world'
import { fetchRequest, respond } from '../credentials/wallet'
import { readyAgent } from '../oauth/setup'
import { ask, newPerson } from '../privacy/requests'
import { exchange, must, newPrincipal, operate, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, dataOf, mailedToken } from '../support/browser'
import { openTestDatabase } from '../support/database'

const newKey = () => randomBytes(32).toString('hex')

interface SealedColumn {
  readonly table: string
  readonly column: string
}

let database: OpenDatabase
let columns: readonly SealedColumn[]
beforeAll(async () => {
  database = await openTestDatabase()
  columns = await listSealedColumns()
})
afterAll(() => database.close())

/** Starts the service as it starts by itself, with these keys, on the database that stays. */
async function start(...keys: readonly string[]): Promise<App> {
  const app = await startApp({ database, env: { KEY_ENCRYPTION_KEY: keys.join(',') } })
  onTestFinished(() => app.close())
  await prepareSealedValues(app.platform)
  return app
}

/** Every column of every table that holds sealed values: their names say so. */
const listSealedColumns = () =>
  database.query<SealedColumn>(
    sql`SELECT c.table_name AS table, c.column_name AS column
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name LIKE 'sealed%'
      ORDER BY 1, 2`,
  )

/** Adds a browser at a push service of this machine that nobody runs, and answers what the page shows of devices. */
async function turnOnPush(page: Browser) {
  const keys = createECDH('prime256v1')
  const subscription = {
    endpoint: 'http://127.0.0.1:65000/push',
    p256dh: keys.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
    language: 'en',
  }
  expect((await page.mutate('notifications.addDevice', subscription)).status).toBe(200)
  return dataOf<{ server_key: string }>(await page.query('notifications.devices'))
}

/** As if nothing had been sealed yet. */
async function forgetSealed(): Promise<void> {
  await database.query(sql`UPDATE settlements SET sealed_presentation = NULL`)
  for (const { table } of columns) {
    if (table !== 'settlements') await database.query(sql`DELETE FROM ${sql.raw(table)}`)
  }
}

/** The ids of the keys that the values of each column are under. */
async function keysInUse(): Promise<Readonly<Record<string, readonly string[]>>> {
  const used = columns.map(async ({ table, column }) => {
    const rows = await database.query<{ key: string }>(
      sql`SELECT DISTINCT split_part(${sql.raw(column)}, '.', 2) AS key FROM ${sql.raw(table)} WHERE ${sql.raw(column)} IS NOT NULL`,
    )
    return [`${table}.${column}`, rows.map(({ key }) => key)] as const
  })
  return Object.fromEntries(await Promise.all(used))
}

/** Every column has values, and all are under this key. */
async function expectAllUnder(keyId: string | undefined): Promise<void> {
  const used = await keysInUse()
  expect(Object.keys(used).length).toBeGreaterThan(10)
  expect(used).toEqual(Object.fromEntries(Object.keys(used).map((name) => [name, [keyId]])))
}

async function resealJobs(app: App) {
  const { json } = await operate<{ counts: { kind: string; state: string; count: number }[] }>(app, 'GET', '/jobs')
  return json.counts.filter(({ kind }) => kind === RESEAL_JOB).map(({ state, count }) => [state, count])
}

const runJobs = (app: App) => runDueJobs(app.platform, jobHandlers, {})
const tokensOf = (app: App) => exchange(`${app.baseUrl}/oauth/jwks.json`).then(({ json }) => json)

test('A4 a start with a new key before the old one re-seals everything, and the old key can go', async () => {
  const [older, newer] = [newKey(), newKey()]
  const first = await start(older)
  const agent = await readyAgent(first)
  const { code, verifier } = await agent.code()
  const body = { 'idempotency-key': 'one' }
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'http://127.0.0.1:8765/oid4ac/callback',
    code_verifier: verifier,
  }
  const issued = await agent.mint<Record<string, string>>('/oauth/token', form, body)
  expect(issued.status, issued.text).toBe(200)
  const settled = await agent.settle(issued.json['access_token'] ?? '', issued.json['mandate_jwt'] ?? '', 'sealed-1')
  expect(settled.status, settled.text).toBe(200)
  const wallet = await newRequest(first)
  const { claims } = await fetchRequest(wallet.deep_link)
  expect((await respond(claims, { error: 'access_denied' })).status).toBe(200)
  const page = new Browser(first.platform)
  await page.signInAsDemo()
  const { server_key: pushKey } = await turnOnPush(page)
  const { principalId, email, person } = await newPerson(first)
  const keyed = { headers: { 'idempotency-key': 'access-1' } }
  const access = await ask(first, person.token, 'access', keyed)
  expect(access.status, access.text).toBe(200)
  await runJobs(first)
  // The job that mails the link, and forgets the address then, is still to be done.
  expect((await new Browser(first.platform).post('/api/auth/sign-in-link', { email })).status).toBe(202)
  const published = await tokensOf(first)
  const [oldId] = first.platform.sealer.keyIds
  await expectAllUnder(oldId)
  expect(await resealJobs(first)).toEqual([])

  const nonce = first.platform.dpopNonces.current(first.clock.now())

  const second = await start(newer, older)
  const [newId] = second.platform.sealer.keyIds
  expect(await resealJobs(second)).toEqual([['queued', 1]])
  expect(second.platform.dpopNonces.isValid(nonce, second.clock.now())).toBe(true)
  const sameBrowser = new Browser(second.platform)
  for (const [name, value] of page.cookies) sameBrowser.cookies.set(name, value)
  expect((await sameBrowser.query('session.me')).status).toBe(200)
  await runDueJobs(second.platform, { [RESEAL_JOB]: resealValues })
  expect(await resealJobs(second)).toEqual([['done', 1]])
  await expectAllUnder(newId)

  const third = await start(newer)
  expect(await readPushKey(third.platform)).toMatchObject({ publicKey: pushKey })
  expect(await resealJobs(third)).toEqual([['done', 1]])
  expect(await tokensOf(third)).toEqual(published)
  expect((await readResult(third, wallet)).json).toMatchObject({ state: wallet.state, error: 'access_denied' })
  expect((await fetchRequest((await newRequest(third)).deep_link)).claims.client_id).toBe(claims.client_id)
  expect(await mailedToken(third.platform, email)).not.toBe('')
  const { token } = await Person.signIn(third, principalId, 'privacy:dsar')
  expect((await ask(third, token, 'access', keyed)).text).toBe(access.text)
  await third.platform.keys.refresh()
  expect((await exchange(`${third.baseUrl}/sandbox/outbox`)).status).toBe(200)
  expect((await (await readyAgent(third)).buy()).token_type).toBe('DPoP')
  await expect(start(older)).rejects.toThrow('KEY_ENCRYPTION_KEY is not the one')
})

test('A4 a start without a key that values remain under is refused in words, also where signing keys open', async () => {
  const [older, newer] = [newKey(), newKey()]
  await forgetSealed()
  const first = await start(older)
  for (const nameless of [false, true]) {
    const id = `message-${nameless}`
    const sealed = first.platform.sealer.seal(Buffer.from('{}'), `message:${id}`)
    const stored = nameless ? `v1.${sealed.split('.')[2]}` : sealed
    await database.query(
      sql`INSERT INTO messages (id, channel, sealed_content, created_at) VALUES (${id}, 'email', ${stored}, now())`,
    )
    await database.query(sql`DELETE FROM signing_keys`)
    await database.query(sql`DELETE FROM sandbox_merchant_keys`)
    await expect(start(newer)).rejects.toThrow(
      /Some messages were sealed under a key that KEY_ENCRYPTION_KEY no longer/,
    )
    const both = await start(newer, older)
    await runJobs(both)
    expect((await keysInUse())['messages.sealed_content']).toEqual([both.platform.sealer.keyIds[0]])
    await database.query(sql`DELETE FROM messages`)
  }
})

test('A4 re-sealing twice at once, and in a process where another key seals, harms nothing', async () => {
  const [older, newer] = [newKey(), newKey()]
  await forgetSealed()
  const before = await start(older)
  const published = await tokensOf(before)
  const after = await start(newer, older)
  const order = { key_id: after.platform.sealer.keyIds[0] }
  const other = await start(older, newer)
  await expect(resealValues(other.platform, order)).rejects.toThrow('Another key seals')
  await Promise.all([resealValues(after.platform, order), resealValues(after.platform, order)])
  await resealValues(after.platform, order)
  expect((await keysInUse())['signing_keys.sealed_private_key']).toEqual([order.key_id])
  expect(await tokensOf(await start(newer))).toEqual(published)
})

test('A4 codes that are out still count after a start with a new key before the old one', async () => {
  const [older, newer] = [newKey(), newKey()]
  await forgetSealed()
  const first = await start(older)
  const { principalId, email } = await newPrincipal(first)
  const person = await Person.signIn(first, principalId)
  const phone = '+353871999999'
  must(await person.call('POST', '/wallet/notifications', { rcs_enabled: true, rcs_phone_e164: phone }), 200)
  const sent = (await readMessages(first.platform, 200)).find(({ to }) => to === phone)
  const [phoneCode] = /\b\d{6}\b/.exec(sent?.text ?? '') ?? expect.fail('no code on the phone')
  first.clock.advance({ seconds: 1 })
  const asked = await new Browser(first.platform).post('/api/auth/sign-in-link', { email })
  const link = await mailedToken(first.platform, email)

  const second = await start(newer, older)
  const other = new Browser(second.platform)
  expect((await other.confirm(link, String(asked.json['code']))).status).toBe(200)
  const typed = await other.mutate('notifications.confirmPhone', { code: phoneCode })
  expect(typed.status, typed.text).toBe(200)
})
