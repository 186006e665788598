import type { TextOf } from '@/components/i18n/texts'
import type { NotificationChoice } from '@/components/lib/api-types'
import { PHONE_NUMBER } from '@/server/identity/contacts/input'
import type { notificationsTexts } from './messages'

/** The form as typed. */
export interface NotificationsDraft {
  readonly email: boolean
  readonly rcs: boolean
  readonly phone: string
}

export function draftOf(choice: NotificationChoice): NotificationsDraft {
  return {
    email: choice?.email_enabled ?? true,
    rcs: choice?.rcs_enabled ?? false,
    phone: choice?.rcs_phone_e164 ?? '',
  }
}

/** The draft as the contract takes it, or what is wrong with the number. */
export function readDraft(
  { email, rcs, phone }: NotificationsDraft,
  text: TextOf<typeof notificationsTexts>['notifications'],
) {
  const number = withoutSeparators(phone)
  if (number === '' && rcs) return { error: text.phoneMissing }
  if (number !== '' && !PHONE_NUMBER.test(number)) return { error: text.phoneBad }
  return { choice: { email_enabled: email, rcs_enabled: rcs, rcs_phone_e164: number === '' ? null : number } }
}

/** People write and paste numbers in groups. */
function withoutSeparators(phone: string): string {
  return phone.replace(/[\s().\-/\u2010-\u2013\u202a-\u202e\u2066-\u2069]/g, '')
}
