import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openEmptyDatabase, openTestDatabase } from '@/test/support/database'
import { installFailpoints } from '../../base/core/failpoints'
import { PermanentFailure } from '../../base/core/permanent-failure'
import type { Message, Platform, Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { composePlatform } from '../../base/platform/compose'
import { migrate, migrationsDirectory } from '../../base/platform/database/migrate'
import { createLogger } from '../../base/platform/logger'
import { countJobs, type JobHandlers, readDeadJobs, runDueJobs } from '../queue'
import { DELIVER_MESSAGE, deliverMessage, queueMessage, readMessages, sendNow } from '.'

const handlers: JobHandlers = { [DELIVER_MESSAGE]: deliverMessage }
const HOUR_SECONDS = 3_600

let platform: Platform
let close: () => Promise<void>
let now = new Date('2026-11-22T10:00:00Z')
let delivered: Message[] = []
let carrier: (message: Message) => Promise<void> | void = () => undefined

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-messages-'))
  const database = await openTestDatabase()
  const env = { DATA_DIR: dataDir, SANDBOX: 'true', LOG_LEVEL: 'silent' }
  const composed = await composePlatform(env, { clock: { now: () => now }, database })
  const mailer = {
    carriesRcs: true,
    deliver: async (message: Message) => {
      delivered.push(message)
      await carrier(message)
    },
  }
  platform = { ...composed.platform, mailer }
  close = async () => {
    await composed.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
beforeEach(async () => {
  delivered = []
  carrier = () => undefined
  await platform.db.query(sql`DELETE FROM messages`)
  await platform.db.query(sql`DELETE FROM jobs`)
})
afterAll(() => close())

function advance(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1_000)
}

const about = (eventKey: string, thing?: string) =>
  ({
    eventKey,
    principalId: null,
    channel: 'email',
    recipient: 'ada@example.com',
    subject: 'News',
    text: eventKey,
    links: [],
    about: thing,
  }) as const
const writeIn = async (tx: Transaction, eventKey: string, thing?: string) =>
  queueMessage(tx, { platform, now }, about(eventKey, thing))
const write = (eventKey: string, thing?: string) => platform.db.transaction((tx) => writeIn(tx, eventKey, thing))

const texts = () => delivered.map(({ text }) => text)

describe('a message', () => {
  test('a message is delivered once for its event, however often it is written and by however many processes', async () => {
    await Promise.all(Array.from({ length: 10 }, () => write('seen by many')))
    for (let n = 0; n < 30; n += 1) await write(`event ${n}`)
    await Promise.all([runDueJobs(platform, handlers), runDueJobs(platform, handlers)])
    advance(HOUR_SECONDS)
    await runDueJobs(platform, handlers)
    await write('seen by many')
    await runDueJobs(platform, handlers)
    expect(texts().toSorted()).toEqual(
      ['seen by many', ...Array.from({ length: 30 }, (_, n) => `event ${n}`)].toSorted(),
    )
    const sent = await platform.db.query(sql`SELECT 1 FROM messages WHERE sent_at IS NOT NULL`)
    expect(sent).toHaveLength(31)
  })

  test('a message that a slow carrier takes is not sent by another process meanwhile', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    carrier = () => held
    for (let n = 0; n < 20; n += 1) await write(`slow ${n}`)
    const first = runDueJobs(platform, handlers)
    while (delivered.length < 20) await new Promise((resolve) => setImmediate(resolve))
    // All twenty were claimed by one call, so none of them waits while its lease expires.
    expect(await runDueJobs(platform, handlers)).toBe(0)
    release()
    expect(await first).toBe(20)
    expect(delivered).toHaveLength(20)
  })

  test('a message whose sender dies before it is written down goes out again under the same id', async () => {
    let deaths = 1
    installFailpoints(async (name) => {
      if (name === 'outbox.after_send_before_mark' && deaths-- > 0) throw new Error('killed')
    })
    onTestFinished(() => installFailpoints(() => undefined))
    await write('twice at most')
    await runDueJobs(platform, handlers)
    advance(HOUR_SECONDS)
    await runDueJobs(platform, handlers)
    advance(HOUR_SECONDS)
    await runDueJobs(platform, handlers)
    expect(delivered).toHaveLength(2)
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(1)
  })

  test('a message that was sent is not sent again when only its job was not written down', async () => {
    await write('sent')
    await runDueJobs(platform, handlers)
    await platform.db.query(sql`UPDATE jobs SET state = 'queued', finished_at = NULL`)
    await runDueJobs(platform, handlers)
    expect(delivered).toHaveLength(1)
    expect(await countJobs(platform.db)).toEqual([{ kind: DELIVER_MESSAGE, state: 'done', count: 1 }])
  })

  test('a message that the carrier refuses for good is given up, and its reason is not stored', async () => {
    carrier = () => {
      throw new PermanentFailure('550 ada@example.com is nobody')
    }
    await write('refused')
    await runDueJobs(platform, handlers)
    advance(HOUR_SECONDS)
    await runDueJobs(platform, handlers)
    expect(delivered).toHaveLength(1)
    expect(await readDeadJobs(platform.db, 10)).toMatchObject([
      { kind: DELIVER_MESSAGE, last_error: 'PermanentFailure' },
    ])
    const rows = await platform.db.query<{ row: string }>(sql`SELECT to_jsonb(j)::text || to_jsonb(m)::text AS row
      FROM jobs j, messages m`)
    expect(rows[0]?.row).not.toContain('ada@')
    expect(await readMessages(platform, 10)).toHaveLength(1)
  })

  test('of a message that the carrier does not take at once, only the class and code of the error are logged', async () => {
    carrier = () => {
      throw Object.assign(new PermanentFailure('550 <ada@example.com> is nobody'), { code: 'EENVELOPE' })
    }
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => void lines.push(line) })
    expect(await sendNow({ platform: { ...platform, log }, now }, about('at once'))).toBe(false)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', message: 'message not taken', channel: 'email', reason: 'PermanentFailure EENVELOPE' },
    ])
    expect(lines.join()).not.toContain('ada@')
  })

  test('a message about the same thing as another comes after it, though that one failed at first', async () => {
    let failures = 1
    carrier = ({ text }) => {
      if (text === 'opened' && failures-- > 0) throw new Error('busy')
    }
    await write('opened', 'dispute:1')
    await write('closed', 'dispute:1')
    await write('something else')
    await runDueJobs(platform, handlers)
    expect(texts().toSorted()).toEqual(['opened', 'something else'])
    advance(HOUR_SECONDS)
    await runDueJobs(platform, handlers)
    expect(texts().slice(2)).toEqual(['opened', 'closed'])
  })

  test.each([
    ['outside the sandbox not', false],
    ['in the sandbox', true],
  ])('the data that a person asked for is sent once, and %s kept', async (_where, sandbox) => {
    const there = { ...platform, config: { ...platform.config, sandbox } }
    const data = { request_id: 'r1', dump: { profile: { email: 'ada@example.com' } } }
    await platform.db.transaction(async (tx) =>
      queueMessage(tx, { platform, now }, { ...about(`data:${String(sandbox)}`), data }),
    )
    await runDueJobs(there, handlers)
    await runDueJobs(there, handlers)
    expect(delivered.map((message) => message.data)).toEqual([data])
    expect(await readMessages(platform, 10)).toMatchObject([
      { text: `data:${String(sandbox)}`, data: sandbox ? data : null },
    ])
    expect(await platform.db.query(sql`SELECT 1 FROM messages WHERE sent_at IS NULL`)).toEqual([])
  })

  test('a message of a transaction that is rolled back is never sent', async () => {
    const rolledBack = new Error('rolled back')
    const failing = platform.db.transaction(async (tx) => {
      await writeIn(tx, 'never')
      throw rolledBack
    })
    await expect(failing).rejects.toBe(rolledBack)
    expect(await runDueJobs(platform, handlers)).toBe(0)
    expect(await readMessages(platform, 10)).toEqual([])
  })
})

test('messages that waited before there were jobs are delivered, given-up ones wait for an operator', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'countersign-migrations-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const before = join(parent, 'migrations')
  const isEarlier = (path: string) => !/\/20261(?:12[2-9]|130|2)\d*_/.test(path.replaceAll('\\', '/'))
  cpSync(migrationsDirectory(), before, { recursive: true, filter: isEarlier })
  const db = await openEmptyDatabase()
  onTestFinished(() => db.close())
  await migrate(db, before)
  for (const [id, state] of [
    ['waiting', 'queued'],
    ['delivered', 'sent'],
    ['refused', 'dead'],
  ] as const) {
    await db.query(
      sql`INSERT INTO messages (id, event_key, channel, sealed_content, state, attempts, next_attempt_at, created_at)
       VALUES (${id}, ${id}, 'email', 'sealed', ${state}, 3, ${now}, ${now})`,
    )
  }
  await migrate(db)
  expect(await db.query(sql`SELECT id, kind, payload::jsonb AS payload, state, run_at FROM jobs ORDER BY id`)).toEqual([
    { id: 'refused', kind: DELIVER_MESSAGE, payload: { message_id: 'refused' }, state: 'dead', run_at: now },
    { id: 'waiting', kind: DELIVER_MESSAGE, payload: { message_id: 'waiting' }, state: 'queued', run_at: now },
  ])
})
