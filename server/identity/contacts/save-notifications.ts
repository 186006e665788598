import { isDeepStrictEqual } from 'node:util'
import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { buildFieldError, ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Queryable, Transaction } from '../../base/core/platform'
import { type Means, recordPersonAct } from '../../shared/audit'
import { findPreferences, type Preferences, type StoredPreferences, savePreferences } from '../../shared/notifications'
import { nudgeJobs } from '../../shared/queue'
import { requireStepUpToRelax } from '../passkeys'
import type { saveNotificationsEndpoint, saveNotificationsProcedure } from './contract'
import { type RelaxedChannels, relaxedChannels } from './input'
import { notifyPhoneChange, notifyQuieter } from './notify-contact-change'
import { presentPreferences } from './read-notifications'
import { sendPhoneCode } from './send-phone-code'

type Saved = OutputOf<typeof saveNotificationsEndpoint>

/**
 * Replaces the caller's channels, for every message that is written after the answer. Sending the same payload twice
 * leaves the same row and moves `updated_at`. A new phone is used once the code that is sent to it was entered; until
 * then the earlier one stays in use. 422 for a choice that is not possible; 403 step_up_required for a new phone, for
 * phone messages that were off and for turning mail off, when that is not confirmed; 401
 * insufficient_user_authentication for a wallet token that does not suffice.
 */
export async function saveNotifications(
  call: WalletCall,
  { proof, ...preferences }: ProcedureInput<typeof saveNotificationsProcedure>,
): Promise<Saved> {
  requirePossible(call, preferences)
  const { platform, actor } = call
  const change = {
    relaxes: (tx: Transaction) => relaxedBy(tx, actor.principalId, preferences),
    save: (tx: Transaction, means: Means) => replace(tx, call, { preferences, means }),
  }
  const { row, isPhoneNew } = await requireStepUpToRelax(call, change, proof)
  if (isPhoneNew && platform.mailer.carriesRcs) await sendFirstCode(call)
  nudgeJobs(platform)
  return presentPreferences(row)
}

function requirePossible({ platform }: WalletCall, { rcs_enabled, rcs_phone_e164 }: Preferences): void {
  if (rcs_enabled && rcs_phone_e164 === null) {
    throw buildFieldError(['body', 'rcs_phone_e164'], 'RCS messages need a phone number', null)
  }
  if (rcs_enabled && !platform.mailer.carriesRcs) {
    throw buildFieldError(['body', 'rcs_enabled'], 'RCS messages are not offered here', true)
  }
}

async function relaxedBy(db: Queryable, principalId: string, after: Preferences): Promise<RelaxedChannels | null> {
  const before = await findPreferences(db, principalId)
  return relaxedChannels(before && { ...before, phone_in_use: before.confirmed_phone_e164 }, after)
}

interface Replaced {
  readonly row: StoredPreferences
  /** Whether a phone was saved that was neither saved nor in use before. */
  readonly isPhoneNew: boolean
}

/** Saves the channels, and notifies the person at the phone in use before and, whatever they chose, by mail. */
async function replace(
  tx: Transaction,
  call: WalletCall,
  { preferences, means }: { readonly preferences: Preferences; readonly means: Means },
): Promise<Replaced> {
  const { actor, now } = call
  const { principalId } = actor
  const before = await findPreferences(tx, principalId)
  const phone = preferences.rcs_phone_e164
  const isOther = phone !== (before?.rcs_phone_e164 ?? null)
  const isPhoneNew = isOther && phone !== null && phone !== before?.confirmed_phone_e164
  if (isPhoneNew) await notifyPhoneChange(tx, call, phone)
  if (before?.email_enabled !== false && !preferences.email_enabled) await notifyQuieter(tx, call, 'mailOff')
  await savePreferences(tx, principalId, { preferences, now })
  const row = await findPreferences(tx, principalId)
  invariant(row !== null, 'what was just saved is there')
  await recordReplacement(tx, call, { before, preferences, means })
  return { row, isPhoneNew }
}

async function recordReplacement(
  tx: Transaction,
  call: WalletCall,
  { before, preferences, means }: { before: Preferences | null; preferences: Preferences; means: Means },
): Promise<void> {
  const [from, to] = [before && channelsOf(before), channelsOf(preferences)]
  if (before?.rcs_phone_e164 === preferences.rcs_phone_e164 && isDeepStrictEqual(from, to)) return
  const payload = { what: 'notifications', from, to, means, passkey_id: null } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
}

/** Returns which channels are on, without the phone number. */
const channelsOf = ({ email_enabled, rcs_enabled, rcs_phone_e164 }: Preferences) => ({
  email: email_enabled,
  rcs: rcs_enabled,
  phone: rcs_phone_e164 !== null,
})

/** Sends the first code to a new phone. Beyond the quota it sends none: the person asks for one later. */
async function sendFirstCode(call: WalletCall): Promise<void> {
  try {
    await sendPhoneCode(call)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'rate_limited')) throw error
  }
}
