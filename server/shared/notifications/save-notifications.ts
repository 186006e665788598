import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { ValidationError } from '../../base/core/errors'
import type { saveNotificationsEndpoint } from './contract'
import { savePreferences } from './store'

type Save = typeof saveNotificationsEndpoint

/**
 * Replaces how the caller wants to be told; it holds for every message that is written after the answer. The same
 * payload twice leaves the same row and moves `updated_at`.
 */
export async function saveNotifications(
  { platform, actor, now }: WalletCall,
  input: InputOf<Save>,
): Promise<OutputOf<Save>> {
  const { rcs_enabled, rcs_phone_e164, email_enabled } = input
  if (rcs_enabled && rcs_phone_e164 === null) {
    throw buildFieldError('rcs_phone_e164', { msg: 'RCS messages need a phone number', input: null })
  }
  if (rcs_enabled && !platform.mailer.carriesRcs) {
    throw buildFieldError('rcs_enabled', { msg: 'RCS messages are not offered here', input: true })
  }
  const preferences = { rcs_enabled, rcs_phone_e164, email_enabled }
  await savePreferences(platform.db, actor.principalId, { preferences, now })
  return { ...preferences, updated_at: now.toISOString() }
}

function buildFieldError(member: string, { msg, input }: { msg: string; input: unknown }): ValidationError {
  return new ValidationError([{ loc: ['body', member], msg, type: 'value_error', input }])
}
