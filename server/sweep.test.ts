import { afterAll, beforeAll, expect, test } from 'vitest'
import { dpopProof, exchange, newPrincipal, Person } from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'
import type { Database } from './base/core/platform'
import { type Sql, sql } from './base/core/sql'
import { SWEPT_AT_ONCE } from './base/core/swept'
import { sweepPhoneCodes } from './identity/contacts'
import { sweepSignInRequests } from './identity/sessions'
import { sweepMailedLinks } from './shared/mailed-links'
import { sweepDevices } from './shared/notifications'
import { PORTAL_TENANT_ID } from './shared/principals'
import { sweepPrivacyReplies } from './surfaces/privacy'
import { sweepExpired } from './sweep'

const client_id = PORTAL_TENANT_ID
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

let app: App
let principal_id: string
beforeAll(async () => {
  app = await startApp()
  principal_id = (await newPrincipal(app)).principalId
})
afterAll(() => app.close())

const prisma = () => app.platform.db.prisma

/** Returns the columns that pushed requests, codes and magic links share. */
const authorization = (at: Date) => ({
  client_id,
  principal_id,
  jkt: 'jkt',
  dpop_jwk: {},
  redirect_uri: 'https://agent.example/callback',
  code_challenge: 'challenge',
  scope: [],
  resources: [],
  authorization_details: [],
  created_at: at,
  expires_at: at,
})

const reply = { client_id, idempotency_key: 'key', body_digest: 'digest', jkt: 'jkt' }
const challenge = { id: 'id', purpose: 'sign_in', nonce: 'nonce', challenge: 'challenge' }

/** Each table, how long its rows are kept after that time, and a row with it. */
const tables: readonly [table: string, column: string, keptSeconds: number, insert: (at: Date) => Promise<unknown>][] =
  [
    ['replay_keys', 'expires_at', 120, (expires_at) => prisma().replayKey.create({ data: { key: 'key', expires_at } })],
    [
      'pushed_requests',
      'expires_at',
      DAY_SECONDS,
      (at) =>
        prisma().pushedRequest.create({
          data: { ...authorization(at), handle_hash: 'hash', decision: 'setup_required' },
        }),
    ],
    [
      'age_proofs',
      'expires_at',
      30 * DAY_SECONDS,
      (expires_at) =>
        prisma().ageProof.create({
          data: {
            principal_id,
            age: 18,
            source: 'presentation',
            issuer: 'https://pid.example',
            region: 'EU',
            proven_at: new Date(expires_at.getTime() - 1000),
            expires_at,
          },
        }),
    ],
    [
      'authorization_codes',
      'expires_at',
      DAY_SECONDS,
      (at) => prisma().authorizationCode.create({ data: { ...authorization(at), code_hash: 'hash', auth_time: at } }),
    ],
    [
      'magic_links',
      'expires_at',
      DAY_SECONDS,
      (at) => prisma().magicLink.create({ data: { ...authorization(at), token_hash: 'hash' } }),
    ],
    [
      'idempotent_replies',
      'expires_at',
      0,
      (at) => prisma().idempotentReply.create({ data: { ...reply, lease_until: at, expires_at: at } }),
    ],
    [
      'webauthn_challenges',
      'expires_at',
      0,
      (at) => prisma().webauthnChallenge.create({ data: { ...challenge, created_at: at, expires_at: at } }),
    ],
    [
      'sign_in_requests',
      'expires_at',
      0,
      (at) =>
        prisma().signInRequest.create({ data: { id: 'id', browser_hash: 'hash', created_at: at, expires_at: at } }),
    ],
    [
      'portal_sessions',
      'expires_at',
      30 * DAY_SECONDS,
      (at) =>
        prisma().portalSession.create({
          data: { id: 'id', principal_id, created_at: at, last_seen_at: at, expires_at: at },
        }),
    ],
    [
      'sandbox_processor_replies',
      'created_at',
      DAY_SECONDS,
      (created_at) =>
        prisma().sandboxProcessorReply.create({
          data: { idempotency_key: 'key', request_digest: 'digest', created_at },
        }),
    ],
    [
      'sandbox_merchant_nonces',
      'expires_at',
      0,
      (expires_at) => prisma().sandboxMerchantNonce.create({ data: { nonce_hash: 'hash', expires_at } }),
    ],
  ]

test.each(tables)(
  'a row of %s is deleted when its %s is more than %i seconds ago',
  async (table, column, kept, insert) => {
    const at = new Date(app.clock.now().getTime() + HOUR_SECONDS * 1000)
    const isThere = async () => {
      const rows = await app.platform.db.query(sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.raw(column)} = ${at}`)
      return rows.length === 1
    }
    await insert(at)
    app.clock.advance({ seconds: HOUR_SECONDS + kept - 60 })
    await sweepExpired(app.platform)
    expect(await isThere()).toBe(true)
    app.clock.advance({ seconds: 120 })
    await sweepExpired(app.platform)
    expect(await isThere()).toBe(false)
  },
)

test('more than a batch is deleted at once', async () => {
  const at = app.clock.now()
  const replayKeys = Array.from({ length: 12_000 }, (_, index) => ({ key: `many-${index}`, expires_at: at }))
  await prisma().replayKey.createMany({ data: replayKeys })
  const family = {
    client_id,
    principal_id,
    tenant_id: client_id,
    kind: 'wallet',
    jkt: 'jkt',
    scope: [],
    resources: [],
    authorization_details: [],
    auth_time: at,
    created_at: at,
    expires_at: at,
  }
  const families = Array.from({ length: 2_500 }, (_, index) => ({ id: `many-${index}`, ...family }))
  await prisma().tokenFamily.createMany({ data: families })
  app.clock.advance({ seconds: 31 * DAY_SECONDS })
  await sweepExpired(app.platform)
  const many = { startsWith: 'many-' }
  expect(await prisma().replayKey.count({ where: { key: many } })).toBe(0)
  expect(await prisma().tokenFamily.count({ where: { id: many } })).toBe(0)
})

const OVER_A_BATCH = SWEPT_AT_ONCE + 1

/** A sweep and a statement that inserts one row for each `n`, `at` being the time after which the row goes. */
const filled: readonly [table: string, sweep: (db: Database, now: Date) => Promise<number>, rows: Sql][] = [
  ['sign_in_requests', sweepSignInRequests, sql`(id, browser_hash, created_at, expires_at) SELECT n, 'hash', at, at`],
  [
    'phone_codes',
    sweepPhoneCodes,
    sql`(principal_id, phone_e164, code_hash, created_at, expires_at) SELECT n, '+4930123', 'hash', at, at`,
  ],
  [
    'mailed_links',
    sweepMailedLinks,
    sql`(token_hash, principal_id, purpose, subject, created_at, expires_at) SELECT n, n, 'confirm_email', '{}', at, at`,
  ],
  [
    'privacy_replies',
    sweepPrivacyReplies,
    sql`(principal_id, kind, key_hash, body_digest, lease_until, expires_at) SELECT n, 'access', n, 'digest', at, at`,
  ],
  [
    'push_subscriptions',
    sweepDevices,
    sql`(id, principal_id, endpoint_hash, sealed_subscription, session_handle, language, created_at)
        SELECT n, n, n, 'sealed', encode(sha256(convert_to('s' || n, 'UTF8')), 'hex'), 'en', at`,
  ],
]

test.each(filled)('a sweep of %s deletes no more than a batch in one statement', async (table, sweep, rows) => {
  const { db } = app.platform
  const at = app.clock.now()
  const numbers = sql`(SELECT 'filled-' || n AS n, ${at}::timestamptz AS at FROM generate_series(1, ${OVER_A_BATCH}::int) n) numbered`
  await db.query(
    sql`INSERT INTO principals (id, tenant_id, created_at) SELECT n, ${client_id}, at FROM ${numbers} ON CONFLICT DO NOTHING`,
  )
  await db.query(
    sql`INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at, revoked_at)
        SELECT 's' || n, n, at, at, at, at FROM ${numbers} ON CONFLICT DO NOTHING`,
  )
  await db.query(sql`INSERT INTO ${sql.raw(table)} ${rows} FROM ${numbers}`)
  app.clock.advance({ seconds: 60 })
  expect(await sweep(db, app.clock.now())).toBe(SWEPT_AT_ONCE)
  expect(await sweep(db, app.clock.now())).toBe(1)
})

test('a table that cannot be swept does not keep the others', async () => {
  const { db } = app.platform
  const at = app.clock.now()
  await prisma().replayKey.create({ data: { key: 'kept', expires_at: at } })
  await prisma().sandboxMerchantNonce.create({ data: { nonce_hash: 'last', expires_at: at } })
  app.clock.advance({ seconds: HOUR_SECONDS })
  await db.query(sql`ALTER TABLE replay_keys RENAME TO replay_keys_away`)
  try {
    await sweepExpired(app.platform)
  } finally {
    await db.query(sql`ALTER TABLE replay_keys_away RENAME TO replay_keys`)
  }
  expect(await prisma().sandboxMerchantNonce.count({ where: { nonce_hash: 'last' } })).toBe(0)
  await sweepExpired(app.platform)
  expect(await prisma().replayKey.count({ where: { key: 'kept' } })).toBe(0)
})

test('a proof that one process has swept is not taken again by another whose clock is two minutes behind', async () => {
  const { token, key } = await Person.signIn(app, principal_id)
  const url = `${app.baseUrl}/wallet/agents`
  const headers = {
    authorization: `DPoP ${token}`,
    dpop: await dpopProof(app, key, { method: 'GET', url, accessToken: token }),
  }
  expect((await exchange(url, { headers })).status).toBe(200)
  app.clock.advance({ seconds: 122 })
  await sweepExpired(app.platform)
  app.clock.advance({ seconds: -120 })
  expect((await exchange(url, { headers })).status).toBe(401)
})
