import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RcsFake, startRcsFake } from '@/test/support/rcs-fake'
import { PermanentFailure } from '../../core/permanent-failure'
import type { Message } from '../../core/platform'
import { createRcsMailer } from './rcs'

let fake: RcsFake
beforeEach(async () => {
  fake = await startRcsFake()
})
afterEach(() => fake.close())

const mailer = (apiToken = fake.env.RCS_API_TOKEN) =>
  createRcsMailer({ apiUrl: fake.env.RCS_API_URL, apiToken, agentId: fake.env.RCS_AGENT_ID })

const message: Message = {
  id: '0b0e7a4e-8a52-4d0f-9d0c-6b6a6f0a3b11',
  channel: 'rcs',
  to: '+353861234567',
  subject: null,
  text: 'An agent paid 12.00 EUR.',
  links: ['https://pay.example/payments/pi_1'],
  data: null,
}

/** Returns the error of a delivery; null when it succeeded. */
const failureOf = async (delivery: Promise<void>): Promise<Error | null> =>
  delivery.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

describe('rcs mailer', () => {
  test('the RCS mailer delivers the text to the number, with a button that opens the link', async () => {
    await mailer().deliver(message)
    expect(fake.messages).toEqual([
      {
        messageId: message.id,
        phone: '+353861234567',
        text: 'An agent paid 12.00 EUR.',
        suggestions: [
          {
            action: { text: 'Open', postbackData: 'open', openUrlAction: { url: 'https://pay.example/payments/pi_1' } },
          },
        ],
      },
    ])
  })

  test('a limit bump has two more buttons, with what the callback takes behind them', async () => {
    await mailer().deliver({ ...message, links: [], data: { bump_id: 'b1', token: 't1' } })
    const replies = fake.messages[0]?.suggestions.map(({ reply }) => [
      reply?.text,
      JSON.parse(reply?.postbackData ?? ''),
    ])
    expect(replies).toEqual([
      ['Approve', { bump_id: 'b1', action: 'approve', token: 't1' }],
      ['Decline', { bump_id: 'b1', action: 'decline', token: 't1' }],
    ])
  })

  test('a message that the carrier took without saying so arrives once when it is sent again', async () => {
    fake.faults.push('drop after accept')
    expect(await failureOf(mailer().deliver(message))).toBeInstanceOf(Error)
    await mailer().deliver(message)
    await mailer().deliver(message)
    expect(fake.requests).toEqual([message.id, message.id, message.id])
    expect(fake.messages).toHaveLength(1)
  })

  test.each([400, 404])('the answer %i of the RCS carrier is a permanent failure', async (status) => {
    fake.faults.push(status)
    const failure = await failureOf(mailer().deliver(message))
    expect(failure).toBeInstanceOf(PermanentFailure)
    expect(failure).toMatchObject({ code: `HTTP_${status}` })
  })

  test.each([401, 403, 429, 500, 503])(
    'a message that the RCS carrier answers with %i may be tried again',
    async (status) => {
      fake.faults.push(status)
      const failure = await failureOf(mailer().deliver(message))
      expect(failure).not.toBeInstanceOf(PermanentFailure)
      expect(failure).toMatchObject({ code: `HTTP_${status}` })
      await mailer().deliver(message)
      expect(fake.messages).toHaveLength(1)
    },
  )

  test('a failure of the RCS carrier shows neither the token nor the number', async () => {
    const token = 'another-token-0123456789'
    const failure = await failureOf(mailer(token).deliver(message))
    const text = `${failure?.message} ${failure?.stack} ${String(failure?.cause)}`
    expect(failure).toMatchObject({ code: 'HTTP_401' })
    expect(text).not.toContain(token)
    expect(text).not.toContain('353861234567')
  })

  test('a carrier that is not there or does not answer may be tried again', async () => {
    const nobody = createRcsMailer({ apiUrl: 'http://127.0.0.1:1', apiToken: 'x', agentId: 'y' })
    expect(await failureOf(nobody.deliver(message))).not.toBeInstanceOf(PermanentFailure)
    fake.faults.push('hang')
    const hanging = failureOf(
      createRcsMailer(
        { apiUrl: fake.env.RCS_API_URL, apiToken: fake.env.RCS_API_TOKEN, agentId: fake.env.RCS_AGENT_ID },
        50,
      ).deliver(message),
    )
    expect(await hanging).toMatchObject({ name: 'TimeoutError' })
  })
})
