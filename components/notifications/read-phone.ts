import type { TextOf } from '@/components/i18n/texts'
import { PHONE_NUMBER } from '@/server/identity/contacts/input'
import type { notificationsTexts } from './messages'

type Refusals = Pick<TextOf<typeof notificationsTexts>['notifications'], 'phoneMissing' | 'phoneBad'>

/** Returns the number in the contract's form, or what is wrong with it. */
export function readPhone(typed: string, text: Refusals) {
  const phone = withoutSeparators(typed)
  if (phone === '') return { error: text.phoneMissing }
  return PHONE_NUMBER.test(phone) ? { phone } : { error: text.phoneBad }
}

/** Removes the separators with which people write and paste numbers. */
function withoutSeparators(phone: string): string {
  return phone.replace(/[\s().\-/\u2010-\u2013\u202a-\u202e\u2066-\u2069]/g, '')
}
