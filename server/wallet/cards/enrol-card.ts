import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import { announceChange } from '../../base/core/announce-change'
import { askProcessor } from '../../base/core/ask-processor'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform, Transaction } from '../../base/core/platform'
import { ProcessorRefused, type SetupIntent } from '../../base/core/processor'
import { requireTokenSuffices } from '../../identity/passkeys'
import { recordAudit } from '../../shared/audit'
import { findPrincipal, keepProcessorCustomer } from '../../shared/principals'
import type { confirmSetupIntentEndpoint, createSetupIntentEndpoint } from './contract'
import { replaceExpiredDefault } from './replace-expired-default'
import { findCardOfIntent, insertCardMandate, lockPrincipalWithTenant } from './store'

/**
 * Starts the enrolment of a card at the processor, for the caller's customer there. 401
 * insufficient_user_authentication for a token that does not suffice.
 */
export async function createSetupIntent(call: WalletCall): Promise<OutputOf<typeof createSetupIntentEndpoint>> {
  await requireTokenSuffices(call)
  const { platform, actor } = call
  const customerId = await requireCustomer(platform, actor.principalId)
  const intent = await askProcessor(() => beginEnrolment(platform, actor.principalId, customerId))
  return {
    setup_intent_id: intent.id,
    client_secret: intent.clientSecret,
    status: intent.status,
    publishable_key: platform.processor.publishableKey,
  }
}

/** Returns the person's customer at the processor, which their first card creates. 403 for an erased person. */
async function requireCustomer({ db, processor }: Platform, principalId: string): Promise<string> {
  const principal = await findPrincipal(db, principalId)
  if (principal === null || principal.erased) throw new ServiceError('forbidden', 'The principal cannot enrol cards.')
  if (principal.processor_customer_id !== null) return principal.processor_customer_id
  const customerId = await askProcessor(() => processor.createCustomer(principalId))
  return keepProcessorCustomer(db, { principalId, customerId })
}

/**
 * Creates the setup intent. A customer that the processor does not know, for example after a change of account, is
 * replaced.
 */
async function beginEnrolment(platform: Platform, principalId: string, customerId: string): Promise<SetupIntent> {
  const { db, processor, random } = platform
  const begin = (id: string) =>
    processor.createSetupIntent({ principalId, customerId: id, idempotencyKey: random.uuid() })
  try {
    return await begin(customerId)
  } catch (cause) {
    if (!(cause instanceof ProcessorRefused) || cause.code !== 'resource_missing') throw cause
    const created = await processor.createCustomer(principalId, customerId)
    return begin(await keepProcessorCustomer(db, { principalId, customerId: created, replaced: customerId }))
  }
}

type Confirm = typeof confirmSetupIntentEndpoint

/**
 * Saves the card of the caller's enrolment when it has succeeded and the webhook has not saved it. 404 for any other
 * intent; 401 as for its creation where there is a card to save.
 */
export async function confirmSetupIntent(call: WalletCall, input: InputOf<Confirm>): Promise<OutputOf<Confirm>> {
  const { platform, actor, now } = call
  const intent = await askProcessor(() => platform.processor.retrieveSetupIntent(input.setup_intent_id))
  if (intent === null || intent.principalId !== actor.principalId) {
    throw new ServiceError('not_found', 'There is no such setup intent.')
  }
  if (intent.status === 'succeeded' && (await findCardOfIntent(platform.db, intent.id)) === null) {
    await requireTokenSuffices(call)
  }
  const reconciled = await platform.db.transaction((tx) => enrolCard(tx, { platform, now }, intent))
  if (reconciled) await announceChange(platform, actor.principalId)
  return { status: intent.status, reconciled, setup_intent_id: intent.id }
}

/**
 * Inserts the card mandate of a succeeded setup intent and its audit entry, once, however many callers try at the same
 * time. The first card becomes the default, and so does a later one when the default has expired. Returns whether this
 * call inserted it; an intent that has not succeeded inserts nothing.
 */
export async function enrolCard(
  tx: Transaction,
  { platform, now }: { platform: Platform; now: Date },
  intent: SetupIntent,
): Promise<boolean> {
  const { card, principalId } = intent
  if (intent.status !== 'succeeded' || card === null || principalId === null) return false
  const principal = await lockPrincipalWithTenant(tx, principalId)
  if (principal === null) return false
  const id = platform.random.uuid()
  const written = await insertCardMandate(tx, {
    id,
    principalId,
    setupIntentId: intent.id,
    customerId: intent.customerId,
    ...card,
    now,
  })
  if (!written) return false
  await recordAudit(tx, {
    tenantId: principal.tenantId,
    principalId,
    event: 'oid4ac.mandate.issued',
    actor: { kind: 'principal', id: principalId },
    payload: { card_mandate_id: id, setup_intent_id: intent.id },
    now,
  })
  await replaceExpiredDefault(tx, { actor: { principalId, tenantId: principal.tenantId }, now }, id)
  return true
}
