import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RcsFake, startRcsFake } from '@/test/support/rcs-fake'
import type { Message } from '../../core/platform'
import { openMailer } from './by-channel'

let fake: RcsFake
beforeAll(async () => {
  fake = await startRcsFake()
})
afterAll(() => fake.close())

const carrier = () => ({
  apiUrl: fake.env.RCS_API_URL,
  apiToken: fake.env.RCS_API_TOKEN,
  agentId: fake.env.RCS_AGENT_ID,
})
const nobody = { smtpUrl: null, mailFrom: 'no-reply@example.com' }
const message: Omit<Message, 'channel' | 'id'> = {
  to: '+353861234567',
  subject: null,
  text: 'Hello',
  links: [],
  data: null,
}

test('each channel has its carrier, and those without one keep to the messages table', async () => {
  const mailer = openMailer({ ...nobody, rcs: carrier(), sandbox: true })
  await mailer.deliver({ ...message, id: 'by-mail', channel: 'email' })
  await mailer.deliver({ ...message, id: 'by-phone', channel: 'rcs' })
  expect(fake.messages.map(({ messageId }) => messageId)).toEqual(['by-phone'])
})

test.each([
  [true, true, true],
  [true, false, true],
  [false, true, true],
  [false, false, false],
])('phone messages with sandbox %s and carrier %s reach people: %s', (sandbox, hasCarrier, carriesRcs) => {
  expect(openMailer({ ...nobody, rcs: hasCarrier ? carrier() : null, sandbox }).carriesRcs).toBe(carriesRcs)
})
