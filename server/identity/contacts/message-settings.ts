import { isDeepStrictEqual } from 'node:util'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { lastTimeIn, nextTimeIn } from '../../base/core/zoned-time'
import { type Means, recordPersonAct } from '../../shared/audit'
import { findMessageSettings, type MessageSettings, moveHeld, saveMessageSettings } from '../../shared/notifications'
import { nudgeJobs } from '../../shared/queue'
import { requireStepUpToRelax } from '../passkeys'
import type { MessageSettingsView, saveMessageSettingsProcedure } from './contract'
import { minuteOf, type QuietHoursView, relaxedHours } from './input'
import { notifyQuieter } from './notify-contact-change'

const HOUR_MINUTES = 60

type QuietHours = NonNullable<MessageSettings['quiet']>
type Chosen = Omit<ProcedureInput<typeof saveMessageSettingsProcedure>, 'proof'>

/** Returns how and when messages to the person are sent. */
export async function readMessageSettings({ platform, actor }: WalletCall): Promise<MessageSettingsView> {
  const { language, quiet, summaryHour, timeZone } = await findMessageSettings(platform.db, actor.principalId)
  return {
    language: language ?? 'en',
    quiet_hours: quiet === null ? null : presentQuiet(quiet),
    summary_hour: summaryHour,
    time_zone: timeZone,
  }
}

/**
 * Changes the given settings. Quiet hours apply to every message that is written after the answer, and to those that
 * are held back now, which are never sent later than before. The first summary covers the time since its hour last passed. 403 step_up_required for quiet hours
 * that keep more from the person than before and are not confirmed, see {@link relaxedHours}.
 */
export async function chooseMessageSettings(
  call: WalletCall,
  { proof, ...chosen }: ProcedureInput<typeof saveMessageSettingsProcedure>,
): Promise<MessageSettingsView> {
  const { principalId } = call.actor
  const change = {
    relaxes: async (tx: Transaction) => relaxedHours(await findHours(tx, principalId), chosen.quiet_hours ?? null),
    save: (tx: Transaction, means: Means) => saveChosen(tx, call, { chosen, means }),
  }
  await requireStepUpToRelax(call, change, proof)
  nudgeJobs(call.platform)
  return readMessageSettings(call)
}

async function findHours(tx: Transaction, principalId: string): Promise<QuietHoursView | null> {
  const { quiet } = await findMessageSettings(tx, principalId)
  return quiet && presentQuiet(quiet)
}

async function saveChosen(
  tx: Transaction,
  call: WalletCall,
  { chosen, means }: { readonly chosen: Chosen; readonly means: Means },
): Promise<void> {
  const { actor, now } = call
  const { principalId } = actor
  const { language, quiet_hours: hours, summary_hour: hour } = chosen
  const { timeZone } = await findMessageSettings(tx, principalId)
  if (hours !== undefined) await recordHours(tx, call, { hours, means })
  const change = {
    ...(language !== undefined && { language }),
    ...(hours !== undefined && { quiet: hours && quietOf(hours) }),
    ...(hour !== undefined && { summary: summaryAt(hour, timeZone, now) }),
  }
  await saveMessageSettings(tx, principalId, { change, now })
  if (change.quiet !== undefined) await moveHeld(tx, principalId, { quiet: change.quiet, timeZone, now })
}

/** Records a change of the quiet hours, and mails the person when more is kept from them. */
async function recordHours(
  tx: Transaction,
  call: WalletCall,
  { hours, means }: { readonly hours: QuietHoursView | null; readonly means: Means },
): Promise<void> {
  const before = await findHours(tx, call.actor.principalId)
  if (isDeepStrictEqual(before, hours)) return
  if (relaxedHours(before, hours) !== null) await notifyQuieter(tx, call, 'quietHours')
  const change = { from: { quiet_hours: before }, to: { quiet_hours: hours }, means } as const
  const payload = { what: 'notifications', ...change, passkey_id: null } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
}

function summaryAt(hour: number | null, timeZone: string, now: Date) {
  if (hour === null) return null
  const minute = hour * HOUR_MINUTES
  return { hour, dueAt: nextTimeIn(timeZone, minute, now), since: lastTimeIn(timeZone, minute, now) }
}

function quietOf({ from, until, requests }: QuietHoursView): QuietHours {
  return { fromMinute: minuteOf(from), untilMinute: minuteOf(until), requestsComeThrough: requests }
}

function presentQuiet({ fromMinute, untilMinute, requestsComeThrough }: QuietHours): QuietHoursView {
  return { from: timeOf(fromMinute), until: timeOf(untilMinute), requests: requestsComeThrough }
}

function timeOf(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / HOUR_MINUTES), minute % HOUR_MINUTES]
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':')
}
