import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newPrincipal } from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'
import type { Message, Platform } from './base/core/platform'
import { sql } from './base/core/sql'
import { startJobs } from './jobs'
import { queueMessage } from './shared/notifications'
import { PORTAL_TENANT_ID } from './shared/principals'
import { nudgeJobs } from './shared/queue'

let app: App
beforeAll(async () => {
  app = await startApp({ seed: false })
})
afterAll(() => app.close())
afterEach(() => vi.useRealTimers())

let written = 0
const write = () =>
  app.platform.db.transaction(async (tx) =>
    queueMessage(
      tx,
      { platform: app.platform, now: app.clock.now() },
      {
        eventKey: `event-${++written}`,
        principalId: null,
        channel: 'email',
        recipient: 'ada@example.com',
        subject: 'News',
        text: `news ${written}`,
        links: [],
      },
    ),
  )

/** Starts a process whose timers are moved by hand, and whose carrier records the texts of its messages. */
function startProcess(carry: (message: Message) => Promise<void> = () => Promise.resolve()) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const texts: string[] = []
  let arrived = (): void => undefined
  const mailer = {
    carriesRcs: true,
    deliver: async (message: Message) => {
      texts.push(message.text)
      arrived()
      await carry(message)
    },
  }
  const platform: Platform = { ...app.platform, mailer }
  const stop = startJobs(platform)
  onTestFinished(() => stop())
  const until = async (count: number) => {
    while (texts.length < count) {
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    }
  }
  return { platform, texts, until, stop }
}

test('a process looks once a second for what is due', async () => {
  const { until } = startProcess()
  await write()
  vi.advanceTimersByTime(1_000)
  await until(1)
})

test('a process runs due jobs at once after a notification', async () => {
  const { platform, until } = startProcess()
  await write()
  nudgeJobs(platform)
  await until(1)
})

test('a process ends what it has begun before it stops', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { platform, texts, until, stop } = startProcess(() => held)
  await write()
  vi.advanceTimersByTime(1_000)
  await until(1)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStopped).toBe(false)
  release()
  await stopped
  expect(texts).toHaveLength(1)
  const rows = await platform.db.query(sql`SELECT 1 FROM jobs WHERE state <> 'done'`)
  expect(rows).toEqual([])
})

test('it signs chains that have grown a minute after its start, and not only an hour later', async () => {
  const { db } = app.platform
  await newPrincipal(app)
  const [head] = await db.query(sql`SELECT seq FROM audit_heads WHERE tenant_id = ${PORTAL_TENANT_ID}`)
  const { stop } = startProcess()
  vi.advanceTimersByTime(59_000)
  expect(await db.query(sql`SELECT seq FROM audit_checkpoints`)).toEqual([])
  vi.advanceTimersByTime(1_000)
  await stop()
  expect(await db.query(sql`SELECT seq FROM audit_checkpoints`)).toEqual([head])
})
