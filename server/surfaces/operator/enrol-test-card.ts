import type { WalletCall } from '../../base/core/call'
import { invariant } from '../../base/core/invariant'
import type { TestCardName } from '../../base/platform/processor/sandbox-cards'
import { keepProcessorCustomer } from '../../shared/principals'
import { confirmSetupIntent, findCardOfIntent } from '../../wallet/cards'
import { requireSandboxProcessor } from './sandbox-processor'

interface Enrolment {
  readonly card: TestCardName
  /** One key enrols a card once, even from several processes at a time. */
  readonly idempotencyKey: string
}

/** Enrols a test card for a person in the same steps as a real card, and returns the card's id. */
export async function enrolTestCard(wallet: WalletCall, { card, idempotencyKey }: Enrolment): Promise<string> {
  const { platform, actor } = wallet
  const { principalId } = actor
  const processor = requireSandboxProcessor(platform)
  const created = await processor.createCustomer(principalId)
  const customerId = await keepProcessorCustomer(platform.db, { principalId, customerId: created })
  const intent = await processor.createSetupIntent({ principalId, customerId, idempotencyKey })
  // The card is saved here instead of by a webhook.
  await processor.enrolTestCard({ setupIntentId: intent.id, card, deliveries: 0 })
  await confirmSetupIntent.verb(wallet, { setup_intent_id: intent.id })
  const cardId = await findCardOfIntent(platform.db, intent.id)
  invariant(cardId !== null, 'a confirmed enrolment has saved its card')
  return cardId
}
