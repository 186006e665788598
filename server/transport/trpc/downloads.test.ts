import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '@/test/support/browser'
import { MERCHANT, type Person } from '@/test/support/money-fixture'
import { openPortalFixture, type PortalFixture } from '@/test/support/portal-fixture'
import { sql } from '../../base/core/sql'
import { type AuditEntry, readCheckpoint, verifyChain } from '../../shared/audit'
import { PORTAL_TENANT_ID } from '../../shared/principals'
import { paymentSelection, writePaymentsCsv } from '../../surfaces/portal'
import { answerActivityJson, answerEvidenceJson, answerPaymentsCsv } from '.'

let fixture: PortalFixture
let ada: Person
let eve: Person
let page: Browser
beforeAll(async () => {
  fixture = await openPortalFixture()
  ;({ ada, eve } = fixture)
  await pay(ada, { amountMinor: 1_234 })
  fixture.clock.advance(1)
  await pay(ada, { amountMinor: 5_000, currency: 'JPY' })
  fixture.clock.advance(1)
  await pay(ada, { amountMinor: 1_500, currency: 'KWD' })
  fixture.clock.advance(1)
  await pay(eve, { amountMinor: 66_600 })
})
beforeEach(async () => {
  page = await fixture.openPage()
})
afterAll(() => fixture.close())

async function pay(person: Person, options: { amountMinor: number; currency?: string }): Promise<string> {
  const answer = await fixture.settle(await fixture.mandate(person, options))
  return (JSON.parse(answer.body) as { payment_intent_id: string }).payment_intent_id
}

type Answer = (request: Request) => Promise<Response>

function get(answer: Answer, path: string, init: RequestInit & { signedIn?: boolean } = {}): Promise<Response> {
  const { signedIn = true, ...rest } = init
  const headers = new Headers({ 'sec-fetch-site': 'same-origin', ...(rest.headers as Record<string, string>) })
  if (signedIn) headers.set('cookie', page.cookieHeader())
  return answer(new Request(fixture.platform.config.baseUrl + path, { ...rest, headers }))
}

const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1)

describe('the payments as CSV', () => {
  test("the payments as CSV are the person's own, newest first, with each currency's own digits", async () => {
    const answer = await get(answerPaymentsCsv, '/payments.csv')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const text = await answer.text()
    expect(text.endsWith('\r\n')).toBe(true)
    const [header, ...rows] = linesOf(text)
    expect(header).toBe(
      'payment_id,paid_at_utc,status,amount,amount_minor,currency,merchant_name,merchant_address,agent_name,agent_id',
    )
    expect(rows.map((row) => row.split(',').slice(1))).toEqual(
      [
        ['2026-11-21T10:00:02.000Z', '1.500', '1500', 'KWD'],
        ['2026-11-21T10:00:01.000Z', '5000', '5000', 'JPY'],
        ['2026-11-21T10:00:00.000Z', '12.34', '1234', 'EUR'],
      ].map(([at = '', ...money]) => [
        at,
        'succeeded',
        ...money,
        'Tallow Books',
        MERCHANT,
        'Claude on my laptop',
        ada.agentId,
      ]),
    )
  })

  test('the payments as CSV are exactly those that the filter selects', async () => {
    const rowsOf = async (query: string) =>
      linesOf(await csvOf(ada, paymentSelection.parse(Object.fromEntries(new URLSearchParams(query)))))
        .slice(1)
        .map((row) => row.split(',')[5])
    const byHttp = await get(answerPaymentsCsv, `/payments.csv?from=2026-11-21T10:00:01.000Z&agent=${ada.agentId}`)
    expect(linesOf(await byHttp.text())).toHaveLength(3)
    expect(await rowsOf('status=succeeded')).toEqual(['KWD', 'JPY', 'EUR'])
    expect(await rowsOf('status=disputed_lost')).toEqual([])
    expect(await rowsOf('from=2026-11-21T10:00:01.000Z')).toEqual(['KWD', 'JPY'])
    expect(await rowsOf('to=2026-11-21T10:00:00.500Z')).toEqual(['EUR'])
    expect(await rowsOf('from=2026-11-21&to=2026-11-21')).toEqual(['KWD', 'JPY', 'EUR'])
    expect(await rowsOf('to=2026-11-20')).toEqual([])
    expect(await rowsOf('q=12.34')).toEqual(['EUR'])
    expect(await rowsOf(`agent=${ada.agentId}`)).toEqual(['KWD', 'JPY', 'EUR'])
    expect(await rowsOf(`agent=${eve.agentId}`)).toEqual([])
    expect(await rowsOf(`merchant=${encodeURIComponent('https://else.example')}`)).toEqual([])
  })

  test.each([
    ['=1+1', `'=1+1`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t=1`],
    ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
    ['a "quoted", name', '"a ""quoted"", name"'],
    ['two\nlines', '"two\nlines"'],
    ['plain - name', 'plain - name'],
  ])('the payments as CSV write the agent name %j so that no spreadsheet runs or splits it', async (name, written) => {
    await fixture.platform.db.query(sql`UPDATE clients SET name = ${name} WHERE id = ${ada.agentId}`)
    const text = await csvOf(ada)
    await fixture.platform.db.query(sql`UPDATE clients SET name = ${'Claude on my laptop'} WHERE id = ${ada.agentId}`)
    expect(text).toContain(`,${written},${ada.agentId}\r\n`)
  })

  test('the payments as CSV go on over pages of the database without losing or repeating any', async () => {
    const person = await fixture.person({ tenantId: PORTAL_TENANT_ID })
    const id = await pay(person, { amountMinor: 100 })
    await multiply(id, 2_500)
    const csv = await csvOf(person)
    const ids = linesOf(csv)
      .slice(1)
      .map((row) => row.split(',')[0])
    expect(ids).toHaveLength(2_501)
    expect(new Set(ids).size).toBe(2_501)
  })
})

/** Inserts copies of a payment, at the same time and at others, without the checks of the service. */
async function multiply(paymentIntentId: string, copies: number): Promise<void> {
  const { db } = fixture.platform
  await db.query(
    sql`INSERT INTO mandates SELECT (jsonb_populate_record(m, jsonb_build_object('id', m.id || n, 'status_index', 1000000 + n))).*
       FROM mandates m, payments p, generate_series(1, ${copies}::int) n WHERE p.payment_intent_id = ${paymentIntentId} AND m.id = p.mandate_id`,
  )
  await db.query(
    sql`INSERT INTO settlements SELECT (jsonb_populate_record(s, jsonb_build_object('id', s.id || n, 'idempotency_key', s.id || n,
            'mandate_id', s.mandate_id || n, 'payment_intent_id', s.payment_intent_id || n))).*
       FROM settlements s, generate_series(1, ${copies}::int) n WHERE s.payment_intent_id = ${paymentIntentId}`,
  )
  await db.query(
    sql`INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('payment_intent_id', p.payment_intent_id || n,
            'settlement_id', p.settlement_id || n, 'mandate_id', p.mandate_id || n,
            'processed_at', p.processed_at - (n / 7) * interval '1 minute'))).*
       FROM payments p, generate_series(1, ${copies}::int) n WHERE p.payment_intent_id = ${paymentIntentId}`,
  )
}

async function csvOf(person: Person, selection: Parameters<typeof writePaymentsCsv>[1] = {}): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of writePaymentsCsv(fixture.wallet(person), selection)) chunks.push(chunk)
  return chunks.join('')
}

describe('the activity as JSON', () => {
  interface Export {
    readonly principal_id: string
    readonly entries: AuditEntry[]
    readonly checkpoint: string
  }

  const exportOf = async (query = '') =>
    (await (await get(answerActivityJson, `/activity.json${query}`)).json()) as Export

  test("the activity as JSON holds the person's entries whole, under a signed head, and nobody else's", async () => {
    const { principal_id, entries, checkpoint } = await exportOf()
    expect(principal_id).toBe(ada.principalId)
    expect(entries.map(({ event }) => event)).toEqual([
      'oid4ac.payment.succeeded',
      'oid4ac.payment.succeeded',
      'oid4ac.payment.succeeded',
      'oid4ac.mandate.issued',
    ])
    expect(entries.every((entry) => verifyChain([entry]).intact)).toBe(true)
    expect(JSON.stringify(entries)).not.toContain(eve.agentId)
    const claims = await readCheckpoint(checkpoint, (kid) => fixture.platform.keys.find('audit', kid))
    expect(claims).toMatchObject({ tenant_id: PORTAL_TENANT_ID })
    expect(claims.seq).toBeGreaterThanOrEqual(entries[0]?.seq ?? 0)
  })

  test('the activity as JSON is narrowed like the page', async () => {
    expect((await exportOf('?event=oid4ac.mandate.issued')).entries).toHaveLength(1)
    expect((await exportOf(`?agent=${ada.agentId}`)).entries).toHaveLength(3)
    expect((await exportOf(`?agent=${eve.agentId}`)).entries).toEqual([])
  })
})

describe('the evidence of a payment', () => {
  test('the evidence of an unknown payment and of another person’s are both answered 404', async () => {
    const foreign = await pay(eve, { amountMinor: 100 })
    for (const id of ['pi_unknown', foreign]) {
      const answer = await get(answerEvidenceJson, `/evidence.json?id=${id}`)
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'not_found' }])
    }
  })

  test('the evidence of a payment is not made without a payment, or for a signed-out visitor', async () => {
    expect((await get(answerEvidenceJson, '/evidence.json')).status).toBe(400)
    const reply = await get(answerEvidenceJson, '/evidence.json?id=pi_1', { signedIn: false })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fpayments'])
  })
})

describe('both files', () => {
  const files: [string, Answer, string][] = [
    ['/payments.csv', answerPaymentsCsv, '/payments'],
    ['/activity.json', answerActivityJson, '/activity'],
  ]

  test.each(files)(
    '%s sends a signed-out visitor to the sign-in page, and tells nothing',
    async (path, answer, back) => {
      const reply = await get(answer, path, { signedIn: false })
      expect([reply.status, reply.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(back)}`])
      expect(await reply.text()).toBe('')
    },
  )

  test.each(files)('%s answers GET of its own pages only', async (path, answer) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
      const reply = await get(answer, path, { method })
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'GET'])
    }
    const foreign = await get(answer, path, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(foreign.status).toBe(403)
  })

  test.each(files)('%s refuses a selection that makes no sense', async (path, answer) => {
    for (const query of ['?status=lost', '?surprise=1', '?event=x', '?from=yesterday']) {
      const reply = await get(answer, path + query)
      expect([query, reply.status]).toEqual([query, 400])
      expect(await reply.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  test.each(files)('%s is not made more than ten times a minute', async (path, answer) => {
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 12) statuses.push((await get(answer, path)).status)
    expect(statuses.at(-1)).toBe(429)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]))
  })
})
