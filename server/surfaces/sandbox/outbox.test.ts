import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueMessage } from '../../shared/notifications'
import { prefersJson } from './page'
import { type Sandbox, startSandbox } from './test-support'

interface Outbox {
  messages: Record<string, unknown>[]
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

async function insertMessage(
  id: string,
  secondsAgo: number,
  content: { subject?: string; text: string; links: string[]; data?: Record<string, unknown> },
) {
  const { platform } = sandbox
  // The ids are fixed, so that the answer can be compared as a whole.
  const named = { ...platform, random: { ...platform.random, uuid: () => id } }
  await platform.db.transaction(async (tx) =>
    queueMessage(
      tx,
      { platform: named, now: new Date(Date.now() - secondsAgo * 1000) },
      {
        eventKey: id,
        principalId: null,
        channel: 'email',
        recipient: 'ada@demo.test',
        subject: content.subject ?? null,
        text: content.text,
        links: content.links,
        data: content.data ?? null,
      },
    ),
  )
}

test('an empty outbox says so', async () => {
  expect((await sandbox.get('/sandbox/outbox', { accept: 'text/html' })).text).toContain('No messages yet.')
})

test('messages come newest first, 200 at most, with only the members they have', async () => {
  await insertMessage('older', 60, { text: 'One', links: [] })
  await insertMessage('newer', 30, {
    subject: 'Approve?',
    text: 'Two',
    links: ['https://pay.example/approve/1'],
    data: { bump_id: 'b1', token: 't1' },
  })
  const { json, headers } = await sandbox.get<Outbox>('/sandbox/outbox', { accept: 'application/json' })
  expect(headers.get('cache-control')).toBe('no-store')
  const createdAt = expect.stringMatching(/Z$/)
  expect(json.messages).toEqual([
    {
      id: 'newer',
      channel: 'email',
      to: 'ada@demo.test',
      subject: 'Approve?',
      text: 'Two',
      links: ['https://pay.example/approve/1'],
      data: { bump_id: 'b1', token: 't1' },
      created_at: createdAt,
    },
    { id: 'older', channel: 'email', to: 'ada@demo.test', text: 'One', links: [], created_at: createdAt },
  ])
  for (let count = 0; count < 200; count += 1) await insertMessage(`m${count}`, 90 + count, { text: 'x', links: [] })
  const full = await sandbox.get<Outbox>('/sandbox/outbox', { accept: 'application/json' })
  expect(full.json.messages).toHaveLength(200)
})

test('the page escapes everything and links only web addresses', async () => {
  const text = '<img src=x onerror=alert(1)> & "quotes"'
  const links = ['https://pay.example/?a=1&b="x"', 'javascript:alert(1)']
  await insertMessage('hostile', 0, { subject: '<b>Hi</b>', text, links })
  const { text: page, headers } = await sandbox.get('/sandbox/outbox', { accept: 'text/html' })
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quotes&quot;')
  expect(page).toContain('&lt;b&gt;Hi&lt;/b&gt;')
  expect(page).toContain('<a href="https://pay.example/?a=1&amp;b=&quot;x&quot;" rel="noreferrer">')
  expect(page).not.toContain('href="javascript:')
  expect(page).not.toContain('<script')
  // A page that reloads itself loses the reader's place (WCAG 2.2.1).
  expect(page).not.toContain('http-equiv="refresh"')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
})

test.each([
  ['application/json', true],
  ['application/json, text/plain, */*', true],
  ['text/html;q=0.5, application/json', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['*/*', false],
  ['application/json;q=0', false],
  [undefined, false],
])('Accept: %s asks for JSON: %s', (accept, isJson) => {
  expect(prefersJson(accept)).toBe(isJson)
})
