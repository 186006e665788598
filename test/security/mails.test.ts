/** Decision D26: what an agent calls itself cannot speak for us in a message. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliverSandboxEvents } from '@/server/base/platform/processor/sandbox'
import { readMagicLink } from '@/server/oauth/authorization'
import { Agent, exchange, newPrincipal, operate, Person, type PrincipalOptions } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, mailedToken } from '../support/browser'

const NAME = 'Pay at https://evil.example or call +49 30 1234567 <b@evil.example>'
const QUOTED = '“Pay at … or call … …”'
/** What may stand nowhere. */
const ADDRESSES = /evil|1234567/

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

interface SentMessage {
  readonly channel: 'email' | 'rcs'
  readonly to: string
  readonly subject?: string
  readonly text: string
  readonly links: readonly string[]
}

let phones = 0

async function newOwner(options: PrincipalOptions = {}) {
  const owner = await newPrincipal(app, options)
  const person = await Person.signIn(app, owner.principalId)
  phones += 1
  const phone = `+35386${1_000_000 + phones}`
  await person.call('POST', '/wallet/notifications', { rcs_enabled: true, rcs_phone_e164: phone })
  const agent = await Agent.register(app, owner.principalId, { client_name: NAME, purpose: NAME })
  return { ...owner, person, phone, agent }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

/** The messages to a person, the newest first. */
async function sentTo({ email, phone }: Pick<Owner, 'email' | 'phone'>): Promise<SentMessage[]> {
  const headers = { accept: 'application/json' }
  const { json } = await exchange<{ messages: SentMessage[] }>(`${app.baseUrl}/sandbox/outbox`, { headers })
  return json.messages.filter(({ to }) => to === email || to === phone)
}

async function buyAndSettle({ agent }: Owner, key = 'once') {
  const bought = await agent.buy()
  return agent.settle(bought.access_token, bought.mandate_jwt, key)
}

interface Case {
  readonly options?: PrincipalOptions
  readonly happen: (owner: Owner) => Promise<unknown>
  /** Whether the message says which agent it was. */
  readonly names: boolean
}

/** Everything that makes the service write to a person whose agent has that name. */
const cases: Readonly<Record<string, Case>> = {
  'a purchase to decide': {
    options: { approval_rule: 'every_purchase' },
    happen: async ({ agent }) => agent.push((await agent.purchase()).form),
    names: true,
  },
  'wallet access to decide': {
    happen: async ({ agent }) => agent.push((await agent.walletAccess('wallet:read')).form),
    names: true,
  },
  'a purchase to confirm by mail': {
    options: { approval_rule: 'above_limits', magic_link_gate: true },
    happen: async ({ agent }) => {
      const pushed = await agent.push((await agent.purchase()).form)
      expect((await agent.authorize(pushed.json.request_uri)).status).toBe(202)
    },
    names: true,
  },
  'a payment': { options: { approval_rule: 'above_limits' }, happen: buyAndSettle, names: true },
  'a payment that failed': {
    options: { approval_rule: 'above_limits', card: 'decline' },
    happen: buyAndSettle,
    names: true,
  },
  'a payment that the bank asks about': {
    options: { approval_rule: 'above_limits', card: 'authentication_required' },
    happen: buyAndSettle,
    names: true,
  },
  'a payment above a limit': {
    options: { approval_rule: 'above_limits' },
    happen: async ({ agent, person }) => {
      const bought = await agent.buy()
      await person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' })
      const settled = await agent.settle(bought.access_token, bought.mandate_jwt, 'above')
      expect(settled.json['error']).toBe('limit_exceeded')
    },
    names: false,
  },
  'a limit that is nearly used up': {
    options: { approval_rule: 'above_limits', limits: { daily_cap_minor: 1_400, currency: 'EUR' } },
    happen: buyAndSettle,
    names: true,
  },
  'a dispute': {
    options: { approval_rule: 'above_limits' },
    happen: async (owner) => {
      const { json } = await buyAndSettle(owner)
      const dispute = { payment_intent_id: json['payment_intent_id'], dispute_status: 'pending' }
      expect((await operate(app, 'POST', '/sandbox/disputes', dispute)).status).toBeLessThan(300)
      const textsAfterEvents = async () => {
        await deliverSandboxEvents(app.platform)
        return (await sentTo(owner)).map(({ text }) => text).join()
      }
      await expect.poll(textsAfterEvents).toContain('is disputed')
    },
    names: true,
  },
  'a sign-in': {
    happen: async ({ email }) => {
      await new Browser(app.platform).post('/api/auth/sign-in-link', { email })
      await mailedToken(app.platform, email)
    },
    names: false,
  },
}

describe.each(Object.entries(cases))('%s', (_name, { options, happen, names }) => {
  test('D26 no message has the name in its subject or first line, and none has an address of it', async () => {
    const owner = await newOwner(options)
    await happen(owner)
    const sent = await sentTo(owner)
    expect(sent.length).toBeGreaterThan(0)
    for (const { subject = '', text, links } of sent) {
      const [firstLine = ''] = text.split('\n')
      for (const words of [subject, firstLine]) expect(words).not.toMatch(/Pay at|or call|“/)
      for (const words of [subject, text, ...links]) expect(words).not.toMatch(ADDRESSES)
    }
    expect(sent.some(({ text }) => text.includes(`Agent: ${QUOTED}`))).toBe(names)
  })
})

describe('the message about a request', () => {
  const askFor = async (merchant?: string) => {
    const owner = await newOwner({ approval_rule: 'every_purchase' })
    const { form } = await owner.agent.purchase(merchant === undefined ? {} : { merchant })
    expect((await owner.agent.push(form)).status).toBe(201)
    const mail = (await sentTo(owner)).find(({ channel }) => channel === 'email')
    return mail ?? expect.fail('no mail')
  }

  test('D26 names the shop with its full address and says whether it is verified, with one link', async () => {
    const shop = `${app.baseUrl}/sandbox/merchants/tallow-books`
    const verified = await askFor(shop)
    expect(verified.text).toContain(
      `An agent asks to pay 12.00 EUR to Tallow Books.\n\nShop: ${shop} (Verified merchant)\n`,
    )
    expect(verified.links).toHaveLength(1)
    const unlisted = await askFor('https://unlisted.example/shop')
    expect(unlisted.text).toContain('Shop: https://unlisted.example/shop (Not verified)\n')
  })

  test('about wallet access says what comes of doing nothing, and speaks of no charge', async () => {
    const owner = await newOwner()
    expect((await owner.agent.push((await owner.agent.walletAccess('wallet:read')).form)).status).toBe(201)
    const mail = (await sentTo(owner)).find(({ channel }) => channel === 'email')
    expect(mail?.text).toMatch(/\n\nIf you do nothing, nothing happens\.$/)
  })

  test('D26 does not repeat the name that an unverified merchant gave itself', async () => {
    const merchant = 'https://pending.example'
    const registered = await operate(app, 'POST', '/merchants', {
      merchant_audience: merchant,
      business_name: 'Tallow Books',
      country: 'AT',
      accepts_currency: ['EUR'],
      accepts_rail: ['card'],
      verification_status: 'pending',
    })
    expect(registered.status, registered.text).toBe(201)
    const { text } = await askFor(merchant)
    expect(text).not.toContain('Tallow')
    expect(text).toContain('An agent asks to pay 12.00 EUR to pending.example.\n')
  })
})

test('the message about a payment calls the card as its holder knows it', async () => {
  const owner = await newOwner({ approval_rule: 'above_limits' })
  await buyAndSettle(owner)
  const { text } =
    (await sentTo(owner)).find(({ subject }) => subject?.startsWith('You paid')) ?? expect.fail('no mail')
  expect(text).toContain(' with your card (Visa •••• 4242).\n')
})

test('D26 the page behind a confirmation link says whose wallet it opens', async () => {
  const owner = await newOwner({ approval_rule: 'above_limits', magic_link_gate: true })
  const pushed = await owner.agent.push((await owner.agent.purchase()).form)
  await owner.agent.authorize(pushed.json.request_uri)
  const [mail] = await sentTo(owner)
  const token = new URL(mail?.links[0] ?? '').searchParams.get('token') ?? ''
  const [first = ''] = owner.email
  const email = `${first}•••${owner.email.slice(owner.email.indexOf('@'))}`
  expect(await readMagicLink(app.platform, token)).toMatchObject({ email, used: false })
})
