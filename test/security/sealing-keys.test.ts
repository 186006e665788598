/** Decision A4: the key that seals is replaced while the service runs on. */
import { createECDH, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { OpenDatabase } from '@/server/base/platform/database/client'
import { jobHandlers } from '@/server/jobs'
import { prepareSealedValues, RESEAL_JOB, resealValues } from '@/server/reseal'
import { readPushKey } from '@/server/shared/notifications'
import { runDueJobs } from '@/server/shared/queue'
import { newRequest, readResult } from '../credentials/request-world'
import { fetchRequest, respond } from '../credentials/wallet'
import { readyAgent } from '../oauth/setup'
import { exchange, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, dataOf } from '../support/browser'
import { openTestDatabase } from '../support/database'

const newKey = () => randomBytes(32).toString('hex')
let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** Starts the service as it starts by itself, with these keys, on the database that stays. */
async function start(...keys: readonly string[]): Promise<App> {
  const app = await startApp({ database, env: { KEY_ENCRYPTION_KEY: keys.join(',') } })
  onTestFinished(() => app.close())
  await prepareSealedValues(app.platform)
  return app
}

const SEALED = [
  ['signing_keys', 'sealed_private_key'],
  ['messages', 'sealed_content'],
  ['push_subscriptions', 'sealed_subscription'],
  ['push_key', 'sealed_private_key'],
  ['idempotent_replies', 'sealed_reply'],
  ['sandbox_merchant_keys', 'sealed_private_key'],
  ['settlements', 'sealed_presentation'],
  ['relying_party', 'sealed_private_key'],
  ['presentation_requests', 'sealed_request'],
  ['presentation_requests', 'sealed_outcome'],
] as const

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
  for (const [table] of SEALED) if (table !== 'settlements') await database.query(sql`DELETE FROM ${sql.raw(table)}`)
}

/** The ids of the keys that values are under, of every table. */
async function keysInUse(): Promise<(readonly string[])[]> {
  const used = SEALED.map(async ([table, column]) => {
    const rows = await database.query<{ key: string }>(
      sql`SELECT DISTINCT split_part(${sql.raw(column)}, '.', 2) AS key FROM ${sql.raw(table)} WHERE ${sql.raw(column)} IS NOT NULL`,
    )
    return rows.map(({ key }) => key)
  })
  return Promise.all(used)
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
  await runJobs(first)
  const published = await tokensOf(first)
  const [oldId] = first.platform.sealer.keyIds
  expect(await keysInUse()).toEqual(SEALED.map(() => [oldId]))
  expect(await resealJobs(first)).toEqual([])

  const nonce = first.platform.dpopNonces.current(first.clock.now())

  const second = await start(newer, older)
  const [newId] = second.platform.sealer.keyIds
  expect(await resealJobs(second)).toEqual([['queued', 1]])
  expect(second.platform.dpopNonces.isValid(nonce, second.clock.now())).toBe(true)
  const sameBrowser = new Browser(second.platform)
  for (const [name, value] of page.cookies) sameBrowser.cookies.set(name, value)
  expect((await sameBrowser.query('session.me')).status).toBe(200)
  await runJobs(second)
  expect(await resealJobs(second)).toEqual([['done', 1]])
  expect(await keysInUse()).toEqual(SEALED.map(() => [newId]))

  const third = await start(newer)
  expect(await readPushKey(third.platform)).toMatchObject({ publicKey: pushKey })
  expect(await resealJobs(third)).toEqual([['done', 1]])
  expect(await tokensOf(third)).toEqual(published)
  expect((await readResult(third, wallet)).json).toMatchObject({ state: wallet.state, error: 'access_denied' })
  expect((await fetchRequest((await newRequest(third)).deep_link)).claims.client_id).toBe(claims.client_id)
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
    expect((await keysInUse())[1]).toEqual([both.platform.sealer.keyIds[0]])
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
  expect((await keysInUse())[0]).toEqual([order.key_id])
  expect(await tokensOf(await start(newer))).toEqual(published)
})
