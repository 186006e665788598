import type { WalletCall } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { findOpenLink } from '../../shared/mailed-links'
import { APPROVING_PHONE_AGE_HOURS, findChannels, findPreferences, isOldEnough } from '../../shared/notifications'
import { type Channel, channels } from '../../shared/notifications/contract'
import { requirePrincipal } from '../../shared/principals'
import type { ContactsView } from './contract'
import { findCodeExpiry } from './phone-code-store'

type ChannelsInUse = Awaited<ReturnType<typeof findChannels>>

const HOUR_MILLISECONDS = 3_600_000

/** Returns the person's addresses for messages, and those that are not confirmed yet. */
export async function readContacts(call: WalletCall): Promise<ContactsView> {
  const { platform, actor } = call
  const { email } = await requirePrincipal(platform.db, actor.principalId)
  const used = await findChannels(platform.db, actor.principalId, null)
  return {
    email,
    pending_email: await readPendingEmail(call),
    phone: await readPhone(call, used),
    told_by: toldBy(platform, { ...used, email: used.email && email !== null }),
  }
}

async function readPendingEmail({ platform, actor, now }: WalletCall): Promise<ContactsView['pending_email']> {
  const link = await findOpenLink(platform.db, actor.principalId, { purpose: 'confirm_email', now })
  if (link?.purpose !== 'confirm_email') return null
  return { email: link.subject.email, expires_at: link.expires_at.toISOString() }
}

async function readPhone(
  { platform, actor, now }: WalletCall,
  { phone: used, phoneConfirmedAt }: ChannelsInUse,
): Promise<ContactsView['phone']> {
  const { principalId } = actor
  const preferences = await findPreferences(platform.db, principalId)
  const saved = preferences?.rcs_phone_e164 ?? null
  const inUse = preferences?.confirmed_phone_e164 ?? null
  const waiting = saved === inUse ? null : saved
  const expiry = waiting === null ? null : await findCodeExpiry(platform.db, principalId, { phone: waiting, now })
  return {
    in_use: inUse,
    approves_from: used === null ? null : approvesFrom(phoneConfirmedAt, now),
    waiting,
    code_expires_at: expiry?.toISOString() ?? null,
  }
}

function approvesFrom(confirmedAt: Date | null, now: Date): string | null {
  if (confirmedAt === null || isOldEnough(confirmedAt, now)) return null
  return new Date(confirmedAt.getTime() + APPROVING_PHONE_AGE_HOURS * HOUR_MILLISECONDS).toISOString()
}

function toldBy({ mailer }: Platform, { email, phone, devices }: ChannelsInUse): Channel[] {
  const hasPhone = phone !== null && mailer.carriesRcs
  const named = { email, rcs: hasPhone, push: devices.length > 0 }
  return channels.filter((channel) => named[channel])
}
