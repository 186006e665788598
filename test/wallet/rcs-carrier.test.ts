import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { installFailpoints } from '@/server/base/core/failpoints'
import { jobHandlers } from '@/server/jobs'
import { runDueJobs } from '@/server/shared/queue'
import { Agent, newPrincipal, operate, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { useChannels } from '../support/channels-in-use'
import { type RcsFake, type RcsMessage, startRcsFake } from '../support/rcs-fake'

let fake: RcsFake
let app: App
beforeAll(async () => {
  fake = await startRcsFake()
  app = await startApp({ env: { ...fake.env } })
})
afterEach(() => {
  fake.faults.length = 0
})
afterAll(async () => {
  await app.close()
  await fake.close()
})

const HOUR_SECONDS = 3_600
let people = 0

/** Somebody who is told by phone alone. */
async function reachableByPhone() {
  const phone = `+35386${String(5_000_000 + ++people)}`
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  const person = await Person.signIn(app, principalId)
  const choice = { rcs_enabled: true, rcs_phone_e164: phone, email_enabled: false }
  await useChannels(app.platform, principalId, choice)
  return { principalId, person, phone }
}

/** A payment above a limit, with what arrived on the person's phone. */
async function exceeded() {
  const { principalId, person, phone } = await reachableByPhone()
  const agent = await Agent.register(app, principalId)
  const bought = await agent.buy()
  await person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' })
  const settle = () => agent.settle(bought.access_token, bought.mandate_jwt, randomUUID())
  expect((await settle()).json['error']).toBe('limit_exceeded')
  return { settle, phone }
}

const deliver = () => runDueJobs(app.platform, jobHandlers)
const onPhone = (phone: string) => fake.messages.filter((message) => message.phone === phone)

function theOne(messages: readonly RcsMessage[]): RcsMessage {
  expect(messages).toHaveLength(1)
  const [message] = messages
  if (message === undefined) throw new Error('no message')
  return message
}

const press = (message: RcsMessage, button: string) =>
  fake.press(message, button, {
    url: `${app.baseUrl}/oauth/rcs/limit-bump/callback`,
    secret: app.platform.config.secrets.rcsCallback,
    now: app.clock.now(),
  })

describe('a payment above a limit', () => {
  test('a limit request arrives on the phone with its buttons, and "Approve" lets the payment pass once', async () => {
    const { settle, phone } = await exceeded()
    await deliver()
    const message = theOne(onPhone(phone))
    expect(message.text).toContain('Allow it once, or decline')
    expect(message.suggestions.map(({ reply, action }) => reply?.text ?? action?.text)).toEqual([
      'Approve',
      'Decline',
      'Open',
    ])
    const answer = await press(message, 'Approve')
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'approved' }])
    expect((await settle()).json).toMatchObject({ status: 'succeeded', amount_minor: 1200 })
    expect((await press(message, 'Approve')).status).toBe(404)
  })

  test('"Decline" in a message leaves the payment refused', async () => {
    const { settle, phone } = await exceeded()
    await deliver()
    expect((await press(theOne(onPhone(phone)), 'Decline')).status).toBe(200)
    expect((await settle()).json['error']).toBe('limit_exceeded')
  })
})

describe('a carrier with faults', () => {
  test.each([429, 500, 503] as const)(
    'a carrier that answers %i gets the message again later, and it arrives once',
    async (status) => {
      const { phone } = await exceeded()
      fake.faults.push(status, status)
      for (let run = 0; run < 4; run += 1) {
        await deliver()
        app.clock.advance({ seconds: HOUR_SECONDS })
      }
      expect(onPhone(phone)).toHaveLength(1)
    },
  )

  test('a carrier that takes the message and loses its answer shows it once', async () => {
    const { phone } = await exceeded()
    fake.faults.push('drop after accept')
    const before = fake.requests.length
    await deliver()
    app.clock.advance({ seconds: HOUR_SECONDS })
    await deliver()
    expect(new Set(fake.requests.slice(before)).size).toBe(1)
    expect(fake.requests.slice(before)).toHaveLength(2)
    expect(onPhone(phone)).toHaveLength(1)
  })

  test('a carrier shows a message once even when the process dies before recording it', async () => {
    const { phone } = await exceeded()
    let deaths = 1
    installFailpoints(async (name) => {
      if (name === 'outbox.after_send_before_mark' && deaths-- > 0) throw new Error('killed')
    })
    onTestFinished(() => installFailpoints(() => undefined))
    const before = fake.requests.length
    await deliver()
    app.clock.advance({ seconds: HOUR_SECONDS })
    await deliver()
    expect(fake.requests.slice(before)).toHaveLength(2)
    expect(onPhone(phone)).toHaveLength(1)
  })

  test.each([400, 404] as const)(
    'a carrier that answers %i is not tried again until the operator retries',
    async (status) => {
      const { phone } = await exceeded()
      fake.faults.push(status)
      const before = fake.requests.length
      for (let run = 0; run < 3; run += 1) {
        await deliver()
        app.clock.advance({ seconds: HOUR_SECONDS })
      }
      expect(fake.requests.slice(before)).toHaveLength(1)
      const { json } = await operate<{ dead: { id: string; last_error: string }[] }>(app, 'GET', '/jobs')
      expect(json.dead[0]?.last_error).toBe(`RcsRefusal HTTP_${status}`)
      expect((await operate(app, 'POST', `/jobs/${json.dead[0]?.id}/retry`)).status).toBe(200)
      await deliver()
      expect(onPhone(phone)).toHaveLength(1)
    },
  )
})

test('phone messages cannot be chosen outside the sandbox without a carrier', async () => {
  const { person, phone } = await reachableByPhone()
  const { platform } = app
  const offered = platform.mailer.carriesRcs
  onTestFinished(() => void Object.assign(platform.mailer, { carriesRcs: offered }))
  Object.assign(platform.mailer, { carriesRcs: false })
  const answer = await person.call('POST', '/wallet/notifications', { rcs_enabled: true, rcs_phone_e164: phone })
  expect(answer.status).toBe(422)
  expect(answer.json['detail']).toMatchObject([{ loc: ['body', 'rcs_enabled'], type: 'value_error' }])
  expect((await person.call('POST', '/wallet/notifications', { rcs_phone_e164: phone })).status).toBe(200)
})
