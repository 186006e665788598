import * as z from 'zod'
import type { Call } from '../../base/core/call'
import { NotYet } from '../../base/core/not-yet'
import type { Platform, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { findErasedCustomer, forgetCustomer, lockPrincipal } from '../../shared/principals'
import { enqueueJob } from '../../shared/queue'

export const FORGET_CUSTOMER_JOB = 'forget_customer'
const forgetPayload = z.strictObject({ principal_id: z.string() })

/**
 * Removes the person's cards, and queues a job that deletes them at the processor. For settlements that charged them,
 * rows without card data remain.
 */
export async function eraseCards(
  tx: Transaction,
  { principalId, call }: { readonly principalId: string; readonly call: Pick<Call, 'now' | 'platform'> },
): Promise<void> {
  await tx.query(
    sql`UPDATE card_mandates SET status = 'removed', is_default = false, agent_client_id = NULL, brand = '', last4 = '', exp_month = 0, exp_year = 0
      WHERE principal_id = ${principalId}`,
  )
  await enqueueJob(tx, call, {
    kind: FORGET_CUSTOMER_JOB,
    key: `forget-customer:${principalId}:${call.platform.random.uuid()}`,
    payload: { principal_id: principalId } satisfies z.input<typeof forgetPayload>,
  })
}

/**
 * Deletes an erased person's cards and customer at the processor, once no settlement needs them any more, and then
 * their ids here. Safe to repeat.
 */
export async function forgetCustomerOf(platform: Platform, payload: unknown): Promise<void> {
  const { principal_id: principalId } = forgetPayload.parse(payload)
  const { db, processor } = platform
  const open = await db.query(sql`SELECT 1 FROM open_settlements WHERE principal_id = ${principalId} LIMIT 1`)
  if (open.length > 0) throw new NotYet('A settlement of the person is still under way.')
  for (const { payment_method_id: card } of await listSavedCards(platform, principalId))
    await processor.detachCard(card)
  const customerId = await findErasedCustomer(db, principalId)
  if (customerId !== null) await processor.deleteCustomer(customerId)
  await db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    await deleteCards(tx, principalId)
    await forgetCustomer(tx, principalId)
  })
}

function listSavedCards({ db }: Platform, principalId: string) {
  return db.query<Row<'CardMandate', 'payment_method_id'>>(
    sql`SELECT c.payment_method_id FROM card_mandates c JOIN principal_profiles p ON p.id = c.principal_id
      WHERE c.principal_id = ${principalId} AND p.erased AND c.payment_method_id <> ''`,
  )
}

async function deleteCards(tx: Transaction, principalId: string): Promise<void> {
  await tx.query(
    sql`DELETE FROM card_mandates c USING principal_profiles p
      WHERE c.principal_id = ${principalId} AND p.id = c.principal_id AND p.erased
        AND NOT EXISTS (SELECT 1 FROM charged_cards s WHERE s.card_id = c.id)`,
  )
  await tx.query(
    sql`UPDATE card_mandates c SET customer_id = '', payment_method_id = '', setup_intent_id = c.id
       FROM principal_profiles p WHERE c.principal_id = ${principalId} AND p.id = c.principal_id AND p.erased`,
  )
}
