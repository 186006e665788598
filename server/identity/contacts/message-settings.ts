import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { lastTimeIn, nextTimeIn } from '../../base/core/zoned-time'
import { findMessageSettings, type MessageSettings, moveHeld, saveMessageSettings } from '../../shared/notifications'
import { nudgeJobs } from '../../shared/queue'
import type { MessageSettingsView, QuietHoursView, saveMessageSettingsProcedure } from './contract'

const HOUR_MINUTES = 60

type QuietHours = NonNullable<MessageSettings['quiet']>
type Chosen = ProcedureInput<typeof saveMessageSettingsProcedure>

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
 * are held back now. The first summary covers the time since its hour last passed.
 */
export async function chooseMessageSettings(
  call: WalletCall,
  { language, quiet_hours: hours, summary_hour: hour }: Chosen,
): Promise<MessageSettingsView> {
  const { platform, actor, now } = call
  const { principalId } = actor
  const { timeZone } = await findMessageSettings(platform.db, principalId)
  const change = {
    ...(language !== undefined && { language }),
    ...(hours !== undefined && { quiet: hours && quietOf(hours) }),
    ...(hour !== undefined && { summary: summaryAt(hour, timeZone, now) }),
  }
  await saveMessageSettings(platform.db, principalId, { change, now })
  if (hours !== undefined) await releaseHeld(platform, principalId, now)
  await announceChange(platform, principalId)
  return readMessageSettings(call)
}

async function releaseHeld(platform: Platform, principalId: string, now: Date): Promise<void> {
  const { quiet, timeZone } = await findMessageSettings(platform.db, principalId)
  await platform.db.transaction((tx) => moveHeld(tx, principalId, { quiet, timeZone, now }))
  nudgeJobs(platform)
}

function summaryAt(hour: number | null, timeZone: string, now: Date) {
  if (hour === null) return null
  const minute = hour * HOUR_MINUTES
  return { hour, dueAt: nextTimeIn(timeZone, minute, now), since: lastTimeIn(timeZone, minute, now) }
}

function quietOf({ from, until, requests }: QuietHoursView): QuietHours {
  return { fromMinute: minuteOf(from), untilMinute: minuteOf(until), requestsComeThrough: requests }
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * HOUR_MINUTES + minutes
}

function presentQuiet({ fromMinute, untilMinute, requestsComeThrough }: QuietHours): QuietHoursView {
  return { from: timeOf(fromMinute), until: timeOf(untilMinute), requests: requestsComeThrough }
}

function timeOf(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / HOUR_MINUTES), minute % HOUR_MINUTES]
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':')
}
