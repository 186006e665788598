/** What people do with credentials in the portal: they offer themselves one, see which there are, and revoke them. */
import { encodeQR } from 'qr'
import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { CredentialOfferView } from '@/server/surfaces/portal'
import { withApp } from '../oauth/setup'
import { must, newPrincipal, operate, Person, statusOfMandate } from '../support/actors'
import type { App } from '../support/app'
import { Browser, dataOf, refusalOf } from '../support/browser'
import { createPasskey } from '../support/passkey-holder'
import {
  credentialOf,
  decodeCredential,
  errorOf,
  freshNonce,
  GRANT,
  newOffer,
  type Offer,
  Wallet,
} from './issuance-wallet'

let app: App
withApp((started) => {
  app = started
})

interface Home {
  readonly principalId: string
  readonly browser: Browser
}

async function household(): Promise<Home> {
  const { principalId, email } = await newPrincipal(app)
  const browser = new Browser(app.platform)
  await browser.signInByMail(email)
  return { principalId, browser }
}

const offer = async (browser: Browser) => dataOf<CredentialOfferView>(await browser.mutate('credentials.offer', {}))
const stateOf = async (browser: Browser, id: string) =>
  dataOf(await browser.query('credentials.offerState', { id }))['status']
const listOf = async (browser: Browser) =>
  dataOf<{ credentials: readonly Record<string, unknown>[] }>(await browser.query('credentials.list')).credentials

/** The code in a link, as a wallet reads it. */
function codeIn(link: string): string {
  const inline = new URL(link).searchParams.get('credential_offer') ?? ''
  return (JSON.parse(inline) as Offer['credential_offer']).grants[GRANT]['pre-authorized_code']
}

async function fetchCredential(made: CredentialOfferView): Promise<string> {
  const wallet = await Wallet.open(app)
  const token = must(await wallet.token(codeIn(made.deep_link), { tx_code: made.tx_code }), 200)
  return credentialOf(await wallet.fetch(token['access_token'] ?? '', 'service_mandate'))
}

const idOf = (credential: string) => String(decodeCredential(credential).payload['jti'])

async function chainOf(principalId: string) {
  const person = await Person.signIn(app, principalId)
  const path = '/wallet/audit-chain?event_types=oid4ac.credential.changed'
  const { entries } = must(await person.call<{ entries: { payload: Record<string, unknown> }[] }>('GET', path), 200)
  return entries.map(({ payload }) => payload).toReversed()
}

describe('an offer of oneself', () => {
  test('C5 has a link, the same as a QR code, and a transaction code that no link holds', async () => {
    const { browser, principalId } = await household()
    const made = await offer(browser)
    expect(Object.keys(made)).toEqual(['id', 'deep_link', 'qr_svg', 'tx_code', 'expires_at'])
    expect(made.tx_code).toMatch(/^\d{6}$/)
    expect(decodeURIComponent(made.deep_link)).toContain('"tx_code":{"input_mode":"numeric","length":6}')
    expect(made.deep_link).not.toContain(made.tx_code)
    expect(made.deep_link).not.toContain(principalId)
    expect(made.qr_svg).toBe(encodeQR(made.deep_link, 'svg', { ecc: 'low' }))
    const left = Date.parse(made.expires_at) - app.clock.now().getTime()
    expect([left > 590_000, left <= 600_000]).toEqual([true, true])
  })

  test('C1 becomes a service mandate about the person, as a pairwise reference and nothing else', async () => {
    const { browser, principalId } = await household()
    const { disclosed, payload } = decodeCredential(await fetchCredential(await offer(browser)))
    expect(Object.keys(disclosed)).toEqual(['principal'])
    expect(JSON.stringify([disclosed, payload])).not.toContain(principalId)
    expect(payload['vct']).toBe(`${app.baseUrl}/vct/service-mandate/1`)
  })

  test('C5 redeems nothing without its transaction code, and ends with the fifth wrong one', async () => {
    const { browser } = await household()
    const made = await offer(browser)
    const wallet = await Wallet.open(app)
    const wrong = made.tx_code === '000000' ? '000001' : '000000'
    expect(errorOf(await wallet.token(codeIn(made.deep_link)))).toEqual([400, 'invalid_request'])
    for (let guess = 0; guess < 5; guess += 1) {
      expect(errorOf(await wallet.token(codeIn(made.deep_link), { tx_code: wrong }))).toEqual([400, 'invalid_grant'])
    }
    expect(await stateOf(browser, made.id)).toBe('ended')
    expect(errorOf(await wallet.token(codeIn(made.deep_link), { tx_code: made.tx_code }))).toEqual([
      400,
      'invalid_grant',
    ])
  })

  test('its state goes from open over taken to added, and the list has the credential then', async () => {
    const { browser } = await household()
    const made = await offer(browser)
    expect([await stateOf(browser, made.id), await listOf(browser)]).toEqual(['open', []])
    const wallet = await Wallet.open(app)
    const token = must(await wallet.token(codeIn(made.deep_link), { tx_code: made.tx_code }), 200)
    expect([await stateOf(browser, made.id), await listOf(browser)]).toEqual(['taken', []])
    const credential = credentialOf(await wallet.fetch(token['access_token'] ?? '', 'service_mandate'))
    expect(await stateOf(browser, made.id)).toBe('added')
    expect(await listOf(browser)).toEqual([
      {
        id: idOf(credential),
        kind: 'service_mandate',
        status: 'active',
        issued_at: expect.any(String),
        expires_at: expect.any(String),
        revoked_at: null,
      },
    ])
  })

  test('cancelled, it gives no credential, not even for a token that a wallet has got before', async () => {
    const { browser } = await household()
    const [one, two] = [await offer(browser), await offer(browser)]
    const wallet = await Wallet.open(app)
    const token = must(await wallet.token(codeIn(two.deep_link), { tx_code: two.tx_code }), 200)
    for (const { id } of [one, two]) {
      expect(dataOf(await browser.mutate('credentials.cancelOffer', { id }))).toMatchObject({ id, status: 'ended' })
    }
    expect(errorOf(await wallet.token(codeIn(one.deep_link), { tx_code: one.tx_code }))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await wallet.fetch(token['access_token'] ?? '', 'service_mandate'))).toEqual([401, 'invalid_token'])
    expect(await listOf(browser)).toEqual([])
  })

  test('cancelling what has been added changes nothing', async () => {
    const { browser } = await household()
    const made = await offer(browser)
    const credential = await fetchCredential(made)
    expect(dataOf(await browser.mutate('credentials.cancelOffer', { id: made.id }))).toMatchObject({ status: 'added' })
    expect(await statusOfMandate(credential)).toBe(0)
  })

  test('C12 the offer of a person who was restricted since has ended, with nothing added', async () => {
    const { browser, principalId } = await household()
    const made = await offer(browser)
    must(await (await Person.signIn(app, principalId, 'privacy:dsar')).call('POST', '/privacy/dsar/restriction'), 200)
    const wallet = await Wallet.open(app)
    expect(errorOf(await wallet.token(codeIn(made.deep_link), { tx_code: made.tx_code }))).toEqual([
      400,
      'credential_request_denied',
    ])
    expect([await stateOf(browser, made.id), await listOf(browser)]).toEqual(['ended', []])
    expect(refusalOf(await browser.mutate('credentials.offer', {}))).toMatchObject({ error: 'access_denied' })
  })

  test('five may be open at a time: of eight at once three are refused, and a cancelled one makes room', async () => {
    const { browser, principalId } = await household()
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.mutate('credentials.offer', {})))
    const made = answers.filter(({ status }) => status === 200)
    expect([made.length, answers.filter(({ status }) => status === 429).length]).toEqual([5, 3])
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    const [row] = await app.platform.db.query<{ count: number }>(
      sql`SELECT count(*) AS count FROM credential_offers WHERE principal_id = ${principalId}`,
    )
    expect(row?.count).toBe(5)
    const [first] = made.map((answer) => dataOf<CredentialOfferView>(answer))
    await browser.mutate('credentials.cancelOffer', { id: first?.id })
    expect((await browser.mutate('credentials.offer', {})).status).toBe(200)
  })

  test('B7 the mailbox alone offers nothing where there is a passkey, whose signature is for this offer', async () => {
    const { browser } = await household()
    const registration = dataOf<Parameters<typeof createPasskey>[2]>(
      await browser.mutate('security.startRegistration', {}),
    )
    const passkey = await createPasskey(browser, app, registration)
    const refused = { error: 'step_up_required' }
    expect(refusalOf(await browser.mutate('credentials.offer', {}))).toMatchObject(refused)
    const other = { purpose: 'credential.offer', subject: { credential_configuration_id: 'other' } } as const
    const wrong = await passkey.prove(browser, other)
    expect(refusalOf(await browser.mutate('credentials.offer', { proof: wrong }))).toMatchObject(refused)
    const action = { purpose: 'credential.offer', subject: { credential_configuration_id: 'service_mandate' } } as const
    const proof = await passkey.prove(browser, action)
    expect((await browser.mutate('credentials.offer', { proof })).status).toBe(200)
    expect(refusalOf(await browser.mutate('credentials.offer', { proof }))).toMatchObject(refused)
  })

  test('nothing of it is taken from the input', async () => {
    const { browser, principalId } = await household()
    for (const input of [{ principal_id: principalId }, { subject: {} }, { tx_code: false }, 'x', null]) {
      expect((await browser.mutate('credentials.offer', input)).status).toBe(400)
    }
  })
})

describe('revoking a credential of one’s own', () => {
  test('C3 sets its bit in the status list, once, and the list says so', async () => {
    const { browser, principalId } = await household()
    const [kept, ended] = [await fetchCredential(await offer(browser)), await fetchCredential(await offer(browser))]
    const revoked = dataOf(await browser.mutate('credentials.revoke', { id: idOf(ended) }))
    expect(revoked).toEqual({ id: idOf(ended), revoked_at: expect.any(String) })
    expect([await statusOfMandate(ended), await statusOfMandate(kept)]).toEqual([1, 0])
    app.clock.advance({ seconds: 5 })
    expect(dataOf(await browser.mutate('credentials.revoke', { id: idOf(ended) }))).toEqual(revoked)
    const statuses = Object.fromEntries((await listOf(browser)).map(({ id, status }) => [id, status]))
    expect(statuses).toEqual({ [idOf(kept)]: 'active', [idOf(ended)]: 'revoked' })
    const payloads = await chainOf(principalId)
    expect(payloads.map(({ what, to }) => `${String(what)} ${String(to)}`)).toEqual([
      'credential_offer open',
      'credential_offer open',
      'credential revoked',
    ])
    expect(payloads.at(-1)).toEqual({
      what: 'credential',
      from: 'active',
      to: 'revoked',
      means: 'magic_link',
      credential_id: idOf(ended),
      offer_id: null,
      session: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('C3 works for one that the operator offered, and shows what the operator revoked', async () => {
    const { browser, principalId } = await household()
    const subject = { principal_id: principalId, age_equal_or_over: { 18: true } }
    const order = { credential_configuration_id: 'service_age_verified_buyer', subject }
    const issue = async () => {
      const { code } = await newOffer(app, order)
      return credentialOf(await (await Wallet.open(app)).redeem(code, await freshNonce(app)))
    }
    const [one, two] = [await issue(), await issue()]
    must(await operate(app, 'POST', `/credentials/${idOf(two)}/revoke`), 200)
    expect((await browser.mutate('credentials.revoke', { id: idOf(one) })).status).toBe(200)
    expect(await statusOfMandate(one)).toBe(1)
    const listed = (await listOf(browser)).map(({ kind, status }) => [kind, status])
    expect(listed).toEqual(Array.from({ length: 2 }, () => ['service_age_verified_buyer', 'revoked']))
  })

  test('sixteen at once answer the same, and leave one entry', async () => {
    const { browser, principalId } = await household()
    const id = idOf(await fetchCredential(await offer(browser)))
    const answers = await Promise.all(Array.from({ length: 16 }, () => browser.mutate('credentials.revoke', { id })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await chainOf(principalId)).filter(({ to }) => to === 'revoked')).toHaveLength(1)
  })

  test('what is another’s looks like what never was, and stays', async () => {
    const [ada, eve] = [await household(), await household()]
    const made = await offer(ada.browser)
    const credential = await fetchCredential(made)
    const open = await offer(ada.browser)
    const calls = [
      ['credentials.revoke', idOf(credential)],
      ['credentials.cancelOffer', open.id],
    ] as const
    for (const [name, id] of calls) {
      const [foreign, unknown] = [await eve.browser.mutate(name, { id }), await eve.browser.mutate(name, { id: 'x' })]
      expect([foreign.status, unknown.status]).toEqual([404, 404])
      expect({ ...refusalOf(foreign), request_id: null }).toEqual({ ...refusalOf(unknown), request_id: null })
    }
    expect((await eve.browser.query('credentials.offerState', { id: open.id })).status).toBe(404)
    expect([await listOf(eve.browser), await statusOfMandate(credential)]).toEqual([[], 0])
    expect(await stateOf(ada.browser, open.id)).toBe('open')
  })
})

test('a page that is open hears of a credential that a wallet has fetched', async () => {
  const { browser } = await household()
  const made = await offer(browser)
  const response = await browser.open('/api/trpc/session.changes')
  const reader = response.body?.getReader()
  const revisions = new Set<string>()
  const readUntil = async (count: number) => {
    const decoder = new TextDecoder()
    while (revisions.size < count) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
      if (done) throw new Error('the stream has ended')
      for (const [revision] of decoder.decode(value).matchAll(/[0-9a-f]{32}/g)) revisions.add(revision)
    }
  }
  await readUntil(1)
  await fetchCredential(made)
  await readUntil(2)
  await reader?.cancel()
  expect(revisions.size).toBe(2)
})
