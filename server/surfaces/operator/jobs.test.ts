import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, operate } from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'
import { PermanentFailure } from '../../base/core/permanent-failure'
import { enqueueJob, runDueJobs } from '../../shared/queue'

let app: App
beforeAll(async () => {
  app = await startApp({ seed: false })
})
afterAll(() => app.close())

interface Jobs {
  readonly counts: readonly unknown[]
  readonly dead: readonly { readonly id: string }[]
}

const call = (method: string, path: string) => operate<Record<string, unknown>>(app, method, path)
const enqueue = (key: string) =>
  enqueueJob(app.platform.db, { platform: app.platform, now: app.clock.now() }, { kind: 'test', key, payload: {} })

test('jobs are counted by kind and state, and those that were given up are listed and can be retried', async () => {
  expect((await call('GET', '/jobs')).json).toEqual({ counts: [], dead: [] })
  await enqueue('one')
  await runDueJobs(app.platform, { test: () => Promise.reject(new PermanentFailure('to ada@example.com')) })
  await enqueue('two')
  const listed = await operate<Jobs>(app, 'GET', '/jobs')
  expect([listed.status, listed.json]).toEqual([
    200,
    {
      counts: [
        { kind: 'test', state: 'dead', count: 1 },
        { kind: 'test', state: 'queued', count: 1 },
      ],
      dead: [
        {
          id: expect.any(String),
          kind: 'test',
          attempts: 1,
          last_error: 'PermanentFailure',
          created_at: expect.stringMatching(/Z$/),
        },
      ],
    },
  ])
  const id = listed.json.dead[0]?.id
  expect((await call('POST', `/jobs/${id}/retry`)).json).toEqual({ id, kind: 'test', state: 'queued' })
  const again = await call('POST', `/jobs/${id}/retry`)
  expect([again.status, again.json['error']]).toEqual([404, 'not_found'])
  expect(await runDueJobs(app.platform, { test: () => Promise.resolve() })).toBe(2)
  expect((await call('GET', '/jobs')).json).toEqual({ counts: [{ kind: 'test', state: 'done', count: 2 }], dead: [] })
})

test('an unknown job is 404, and only the operator may ask', async () => {
  expect((await call('POST', '/jobs/none/retry')).status).toBe(404)
  expect((await exchange(`${app.baseUrl}/operator/jobs`)).status).toBe(401)
  expect((await exchange(`${app.baseUrl}/operator/jobs/x/retry`, { method: 'POST' })).status).toBe(401)
})
