import * as z from 'zod'
import { NotYet } from '../../base/core/not-yet'
import type { Platform } from '../../base/core/platform'
import { findRemovedCard } from './store'

export const DETACH_JOB = 'detach_card'
const detachPayload = z.strictObject({ card_id: z.string() })

/** Deletes a removed card at the processor, once no settlement needs it any more. Safe to repeat. */
export async function detachCard(platform: Platform, payload: unknown): Promise<void> {
  const { card_id: cardId } = detachPayload.parse(payload)
  const card = await findRemovedCard(platform.db, cardId)
  if (card === null) return
  if (card.isInUse) throw new NotYet('A settlement with the card is still under way.')
  await platform.processor.detachCard(card.paymentMethodId)
}
