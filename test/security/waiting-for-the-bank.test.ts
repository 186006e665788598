/** A payment that waits for the cardholder ends as soon as its person stops its agent, or its token is revoked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { asSandbox } from '@/server/base/platform/processor/sandbox'
import type { readCardholderChallenge } from '@/server/money/settlement'
import { ask } from '../privacy/requests'
import { Agent, must, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, dataOf } from '../support/browser'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Challenge = Awaited<ReturnType<typeof readCardholderChallenge>>

/** A person whose agent has a payment that their bank wants confirmed, with the portal open. */
async function waitingHome() {
  const { principalId, email } = await newPrincipal(app, {
    approval_rule: 'above_limits',
    card: 'authentication_required',
  })
  const agent = await Agent.register(app, principalId)
  const person = await Person.signIn(app, principalId, 'wallet:read wallet:write audit:read privacy:dsar')
  const page = new Browser(app.platform)
  await page.signInByMail(email)
  const bought = await agent.buy({ amount_minor: 1_200 })
  const settle = (key = 'first') => agent.settle(bought.access_token, bought.mandate_jwt, key)
  const asked = await settle()
  expect([asked.status, asked.json['error']]).toEqual([403, 'step_up_required'])
  const id = String(asked.json['settlement_id'])
  const challenge = async () => dataOf<Challenge>(await page.query('payments.stepUp', { id }))
  const offered = await challenge()
  expect(offered).toMatchObject({ status: 'waiting', bank: { client_secret: expect.any(String) } })
  expect(dataOf<Challenge[]>(await page.query('payments.stepUps'))).toMatchObject([{ settlement_id: id }])
  const intentId = offered.payment_intent_id
  return { principalId, agent, person, page, bought, settle, id, intentId, challenge }
}

type Home = Awaited<ReturnType<typeof waitingHome>>

/** Confirms at the bank with what the browser got before; returns whether the bank charged the card. */
const confirmAtBank = ({ intentId }: Home) =>
  asSandbox(app.platform.processor)?.authenticatePayment(intentId, 'succeed')

async function moneyOf({ principalId, id }: Home) {
  const [row] = await app.platform.db.query<Record<string, number>>(
    sql`SELECT (SELECT count(*)::int FROM sandbox_processor_charges WHERE settlement_id = ${id}) AS charges,
               (SELECT count(*)::int FROM payments WHERE principal_id = ${principalId}) AS payments,
               (SELECT sum(reserved_minor)::int FROM spend_counters WHERE principal_id = ${principalId}) AS held,
               (SELECT sum(spent_minor)::int FROM spend_counters WHERE principal_id = ${principalId}) AS spent`,
  )
  return row
}

async function expectEnded(home: Home): Promise<void> {
  const { page, id, challenge } = home
  expect(await challenge()).toMatchObject({ status: 'failed', bank: null })
  expect(dataOf(await page.query('payments.stepUps'))).toEqual([])
  const answered = dataOf(await page.mutate('payments.answerTestBank', { id, answer: 'confirm' }))
  expect(answered).toMatchObject({ status: 'failed' })
  expect(await confirmAtBank(home)).toBe(false)
  expect(await moneyOf(home)).toEqual({ charges: 0, payments: 0, held: 0, spent: 0 })
}

const withdrawn = [402, { error: 'payment_declined', failure: { code: 'authorization_withdrawn' } }]
const pathOf = ({ agent }: Home, verb: string) => `/wallet/agents/${agent.clientId}/${verb}`

interface Way {
  readonly stop: (home: Home) => Promise<{ status: number }>
  readonly lift: (home: Home) => Promise<{ status: number }>
  /** What the agent gets for a new key while the stop lasts. */
  readonly refusal: readonly [number, string]
}

const ways: readonly (readonly [string, Way])[] = [
  [
    'freezes spending',
    {
      stop: ({ person }) => person.call('POST', '/wallet/freeze'),
      lift: ({ person }) => person.call('POST', '/wallet/unfreeze'),
      refusal: [403, 'forbidden'],
    },
  ],
  [
    'pauses the agent',
    {
      stop: (home) => home.person.call('POST', pathOf(home, 'pause')),
      lift: (home) => home.person.call('POST', pathOf(home, 'resume')),
      refusal: [403, 'forbidden'],
    },
  ],
  [
    'restricts processing',
    {
      stop: ({ person }) => ask(app, person.token, 'restriction'),
      lift: ({ page }) => page.mutate('privacy.lift', {}),
      refusal: [403, 'access_denied'],
    },
  ],
]

describe.each(ways)('when the person %s', (_name, { stop, lift, refusal }) => {
  test('a payment that waits for the bank ends at once, and nothing can be charged', async () => {
    const home = await waitingHome()
    expect((await stop(home)).status).toBe(200)
    await expectEnded(home)
    const repeated = await home.settle()
    expect([repeated.status, repeated.json]).toMatchObject(withdrawn)
    const second = await home.settle('second')
    expect([second.status, second.json['error']]).toEqual(refusal)
  })

  test('lifting that does not bring the payment back, and a new key asks the bank again', async () => {
    const home = await waitingHome()
    expect((await stop(home)).status).toBe(200)
    expect((await lift(home)).status).toBe(200)
    await expectEnded(home)
    const repeated = await home.settle()
    expect([repeated.status, repeated.json]).toMatchObject(withdrawn)
    const second = await home.settle('second')
    expect([second.status, second.json['error']]).toEqual([403, 'step_up_required'])
  })

  test('a payment that the bank had confirmed before is recorded as paid', async () => {
    const home = await waitingHome()
    expect(await confirmAtBank(home)).toBe(true)
    expect((await stop(home)).status).toBe(200)
    expect(await home.challenge()).toMatchObject({ status: 'succeeded', bank: null })
    expect(await moneyOf(home)).toEqual({ charges: 1, payments: 1, held: 0, spent: 1_200 })
  })
})

test('when the person revokes the agent, a payment that waits for the bank ends at once', async () => {
  const home = await waitingHome()
  must(await home.person.call('POST', pathOf(home, 'revoke')), 200)
  await expectEnded(home)
  expect((await home.settle()).status).toBe(401)
})

test.each(['access_token', 'refresh_token'] as const)(
  'when the agent revokes its %s, its payment that waits for the bank ends at once',
  async (kind) => {
    const home = await waitingHome()
    must(await home.agent.mint('/oauth/revoke', { token: home.bought[kind] }), 200)
    await expectEnded(home)
    expect((await home.settle()).status).toBe(401)
  },
)

test('when an agent revokes the token of one payment, another that waits for the bank stays as it is', async () => {
  const home = await waitingHome()
  const other = await home.agent.buy({ amount_minor: 300 })
  must(await home.agent.mint('/oauth/revoke', { token: other.access_token }), 200)
  expect(await home.challenge()).toMatchObject({ status: 'waiting', bank: { client_secret: expect.any(String) } })
})

test('when the person erases themselves, a payment that waits for the bank ends at once', async () => {
  const home = await waitingHome()
  must(await ask(app, home.person.token, 'erasure'), 200)
  expect(await confirmAtBank(home)).toBe(false)
  expect(await moneyOf(home)).toEqual({ charges: 0, payments: 0, held: 0, spent: 0 })
})

test('pausing another agent leaves a payment that waits for the bank as it is', async () => {
  const home = await waitingHome()
  const other = await Agent.register(app, home.principalId)
  must(await home.person.call('POST', `/wallet/agents/${other.clientId}/pause`), 200)
  expect(await home.challenge()).toMatchObject({ status: 'waiting', bank: { client_secret: expect.any(String) } })
  const answered = dataOf(await home.page.mutate('payments.answerTestBank', { id: home.id, answer: 'confirm' }))
  expect(answered).toMatchObject({ status: 'succeeded' })
})
