import { encodeQR } from 'qr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../../base/core/sql'
import { hashLeaf, provesInclusion } from '../../../base/protocol/merkle-tree'
import { readCheckpoint } from '../../../shared/audit'
import { pauseAgent } from '../../agents'
import { provePayment } from './prove-payment'
import { readPaymentDetail } from './read-payment'
import { verifyReceipt } from './verify-receipt'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

async function pay(person: Person, purchase: Parameters<MoneyFixture['mandate']>[1]): Promise<string> {
  const answer = await fixture.settle(await fixture.mandate(person, purchase))
  return (JSON.parse(answer.body) as { payment_intent_id: string }).payment_intent_id
}

describe("a payment's page", () => {
  test('shows the agreed amount beside the charged one, and that a receipt was signed', async () => {
    const ada = await fixture.person()
    const id = await pay(ada, { amountMinor: 1_200 })
    const detail = await readPaymentDetail(fixture.wallet(ada), { id })
    expect(detail).toMatchObject({ agreed: { amount_minor: 1_200, currency: 'EUR' }, rule: { method: null } })
    expect(detail.timeline.map(({ what }) => what)).toEqual(['paid', 'receipt'])
    expect(detail.receipt_qr_svg).toBe(encodeQR(detail.receipt_jws, 'svg', { ecc: 'low' }))
  })

  test('shows whether its agent is paused now', async () => {
    const ada = await fixture.person()
    const id = await pay(ada, { amountMinor: 1_200 })
    const { agent } = await readPaymentDetail(fixture.wallet(ada), { id })
    expect(agent.paused).toBe(false)
    await pauseAgent.verb(fixture.wallet(ada), { client_id: agent.client_id })
    expect(await readPaymentDetail(fixture.wallet(ada), { id })).toMatchObject({ agent: { paused: true } })
  })

  test('verifies the receipt: its signature, and that it is for this payment', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    const id = await pay(ada, { amountMinor: 1_200 })
    const other = await pay(ada, { amountMinor: 1_300 })
    const verdict = async () => (await verifyReceipt(fixture.wallet(ada), { id })).verdict
    expect(await verdict()).toBe('valid')
    await fixture.platform.db.query(
      sql`UPDATE payments SET receipt_jws = (SELECT receipt_jws FROM payments WHERE payment_intent_id = ${other})
        WHERE payment_intent_id = ${id}`,
    )
    expect(await verdict()).toBe('other_payment')
    await fixture.platform.db.query(
      sql`UPDATE payments SET receipt_jws = left(receipt_jws, -4) || 'AAAA' WHERE payment_intent_id = ${id}`,
    )
    expect(await verdict()).toBe('invalid')
    await expect(verifyReceipt(fixture.wallet(eve), { id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('proves each of its audit entries against the signed tree, to the person alone', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    const id = await pay(ada, { amountMinor: 1_200 })
    const { audit_seqs: seqs } = await readPaymentDetail(fixture.wallet(ada), { id })
    const { proofs } = await provePayment(fixture.wallet(ada), { id })
    expect(proofs.map(({ seq }) => seq)).toEqual(seqs)
    for (const { entry_hash, leaf_index: index, tree_size: size, hashes, checkpoint } of proofs) {
      const claims = await readCheckpoint(checkpoint, (kid) => fixture.platform.keys.find('audit', kid))
      const [proof, root] = [hashes.map(bytes), bytes(claims.root_hash ?? '')]
      expect(provesInclusion({ index, size, leaf: hashLeaf(bytes(entry_hash)), proof, root })).toBe(true)
    }
    await expect(provePayment(fixture.wallet(eve), { id })).rejects.toMatchObject({ code: 'not_found' })
  })
})
