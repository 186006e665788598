/** Decision F40: what comes to a verifier again is a repeat, or a nonce that somebody else has used. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { resolveUnknown } from '@/server/money/settlement'
import {
  fetchNonce,
  type HeldMandate,
  issueTestMandate,
  preparePayment,
  present,
  type Sandbox,
  startSandbox,
} from '@/server/surfaces/sandbox/test-support'

const SHOP = '/sandbox/merchants/tallow-books'
const BOOK = [{ sku: 'left-hand-of-darkness', qty: 1 }]
const DAY_SECONDS = 86_400

let sandbox: Sandbox
let offerDigest: string
beforeAll(async () => {
  sandbox = await startSandbox()
  const { json } = await sandbox.get<{ items: { offer_digest: string }[] }>(`${SHOP}/.well-known/oid4ac-catalog`)
  offerDigest = json.items[0]?.offer_digest ?? ''
})
afterAll(() => sandbox.close())
beforeEach(() => {
  sandbox.processor.outcome = { status: 'succeeded' }
})

const issue = () => issueTestMandate(sandbox, { lineItems: BOOK, offerDigest })

async function presentAt(path: string, mandate: HeldMandate, nonce?: string): Promise<string> {
  const base = path.slice(0, path.lastIndexOf('/'))
  return present(sandbox, mandate, { nonce: nonce ?? (await fetchNonce(sandbox, base)) })
}

const send = (path: string, presentation: string, idempotency_key?: string) =>
  sandbox.post(path, { presentation, line_items: BOOK, ...(idempotency_key !== undefined && { idempotency_key }) })

const revoke = ({ id }: HeldMandate) =>
  sandbox.platform.db.query(sql`UPDATE mandates SET revoked_at = ${sandbox.clock.now()} WHERE id = ${id}`)

describe.each(['/merchant_test/verify-mandate', '/merchant_test/charge', `${SHOP}/verify-mandate`])('%s', (path) => {
  const order = (name: string) => `${path}/${name}`

  test('F40 the same presentation with the same key gets the first answer, and is charged once', async () => {
    const mandate = await issue()
    const presentation = await presentAt(path, mandate)
    const before = sandbox.processor.charges
    const first = await send(path, presentation, order('order-1'))
    expect(first.status, first.text).toBe(200)
    const again = await send(path, presentation, order('order-1'))
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(sandbox.processor.charges).toBe(before + 1)
  })

  test('F40 without a key the same presentation is a repeat too, also when the key is then said', async () => {
    const mandate = await issue()
    const presentation = await presentAt(path, mandate)
    const first = await send(path, presentation)
    expect((await send(path, presentation)).json).toEqual(first.json)
    expect((await send(path, presentation, `mandate:${mandate.id}`)).json).toEqual(first.json)
  })

  test('F40 twenty at once are one charge and one answer', async () => {
    const presentation = await presentAt(path, await issue())
    const before = sandbox.processor.charges
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(path, presentation, order('order-20'))))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(sandbox.processor.charges).toBe(before + 1)
  })

  test('F40 another presentation of a used nonce is mandate_kb_nonce_mismatch', async () => {
    const mandate = await issue()
    const nonce = await fetchNonce(sandbox, path.slice(0, path.lastIndexOf('/')))
    const before = sandbox.processor.charges
    expect((await send(path, await presentAt(path, mandate, nonce), order('order-2'))).status).toBe(200)
    for (const other of [mandate, await issue()]) {
      const refused = await send(path, await presentAt(path, other, nonce), order('order-2'))
      expect([refused.status, refused.json['error']]).toEqual([422, 'mandate_kb_nonce_mismatch'])
    }
    expect(sandbox.processor.charges).toBe(before + 1)
  })

  test('F40 the same presentation with another key is idempotency_conflict, whatever became of the first', async () => {
    sandbox.processor.outcome = { status: 'failed', code: 'insufficient_funds' }
    const presentation = await presentAt(path, await issue())
    expect((await send(path, presentation, order('declined'))).status).toBe(402)
    sandbox.processor.outcome = { status: 'succeeded' }
    const before = sandbox.processor.charges
    const other = await send(path, presentation, order('second-try'))
    expect([other.status, other.json['error']]).toEqual([409, 'idempotency_conflict'])
    expect((await send(path, presentation, order('declined'))).status).toBe(402)
    expect(sandbox.processor.charges).toBe(before)
  })

  test('F40 the same key with the mandate of another purchase is idempotency_conflict', async () => {
    expect((await send(path, await presentAt(path, await issue()), order('order-3'))).status).toBe(200)
    const before = sandbox.processor.charges
    const other = await send(path, await presentAt(path, await issue()), order('order-3'))
    expect([other.status, other.json['error']]).toEqual([409, 'idempotency_conflict'])
    expect(sandbox.processor.charges).toBe(before)
  })

  test('F40 after a 502 the repeat goes on with the same settlement until it has its answer', async () => {
    sandbox.processor.outcome = { status: 'unknown' }
    const mandate = await issue()
    const presentation = await presentAt(path, mandate)
    const unknown = await send(path, presentation, order('order-4'))
    expect([unknown.status, unknown.json['error']]).toEqual([502, 'bad_gateway'])
    expect((await send(path, presentation, order('order-4'))).status).toBe(502)
    sandbox.processor.outcome = { status: 'succeeded' }
    sandbox.clock.advance(60)
    await resolveUnknown(sandbox.platform)
    const known = await send(path, presentation, order('order-4'))
    expect([known.status, known.json['mandate_id']]).toEqual([200, mandate.id])
    expect((await send(path, presentation, order('order-4'))).json).toEqual(known.json)
    const rows = await sandbox.platform.db.query(sql`SELECT 1 FROM settlements WHERE mandate_id = ${mandate.id}`)
    expect(rows).toHaveLength(1)
  })

  test('F40 the answer outlives the nonce, the key binding, the mandate and its revocation, for a day', async () => {
    const mandate = await issue()
    const presentation = await presentAt(path, mandate)
    const first = await send(path, presentation, order('order-5'))
    sandbox.clock.advance(3_600)
    expect((await send(path, presentation, order('order-5'))).json).toEqual(first.json)
    await revoke(mandate)
    expect((await send(path, presentation, order('order-5'))).json).toEqual(first.json)
    sandbox.clock.advance(DAY_SECONDS)
    expect((await send(path, presentation, order('order-5'))).status).toBe(422)
  })

  test('F40 what was refused before anything was charged may be repeated, and buys nothing once it is revoked', async () => {
    const mandate = await issue()
    const presentation = await presentAt(path, mandate)
    const { db } = sandbox.platform
    const freeze = (at: Date | null) => db.query(sql`UPDATE principals SET frozen_at = ${at}`)
    await freeze(sandbox.clock.now())
    expect((await send(path, presentation, order('order-6'))).json['error']).toBe('forbidden')
    await freeze(null)
    await revoke(mandate)
    const before = sandbox.processor.charges
    expect((await send(path, presentation, order('order-6'))).json['error']).toBe('mandate_status_revoked')
    expect(sandbox.processor.charges).toBe(before)
  })
})

describe('an order at a merchant', () => {
  const place = (request: { presentation: string; headers: Record<string, string> }, idempotency_key: string) => {
    const { presentation, headers } = request
    return sandbox.post(`${SHOP}/payments`, { presentation, line_items: BOOK, idempotency_key }, headers)
  }

  test('F40 that is sent again is the same order, also when the mandate has lapsed', async () => {
    const mandate = await issue()
    const request = await preparePayment(sandbox, mandate, { nonce: await fetchNonce(sandbox, SHOP) })
    const first = await place(request, 'basket-1')
    expect(first.status, first.text).toBe(201)
    const again = await place(request, 'basket-1')
    expect([again.status, again.json]).toEqual([200, first.json])
    await revoke(mandate)
    expect((await place(request, 'basket-1')).json).toEqual(first.json)
    const other = await place(request, 'basket-2')
    expect([other.status, other.json['error']]).toEqual([409, 'idempotency_conflict'])
  })

  test('F40 by another presentation of the nonce is challenged', async () => {
    const mandate = await issue()
    const nonce = await fetchNonce(sandbox, SHOP)
    expect((await place(await preparePayment(sandbox, mandate, { nonce }), 'basket-3')).status).toBe(201)
    const refused = await place(await preparePayment(sandbox, mandate, { nonce }), 'basket-3')
    expect([refused.status, refused.json['error']]).toEqual([401, 'use_dpop_nonce'])
  })
})
