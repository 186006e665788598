'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { ContactsView } from '@/components/lib/api-types'
import { Section } from '@/components/ui/card'
import { notificationsTexts } from './messages'

/** Shows where messages go now; a change that is not confirmed yet does not count. */
export function InUse({ contacts: { email, phone, told_by: told } }: { readonly contacts: ContactsView }) {
  const text = useText(notificationsTexts).notifications.inUse
  const format = useFormat()
  const ways = [
    ...(told.includes('email') && email !== null ? [text.email(email)] : []),
    ...(told.includes('push') ? [text.devices] : []),
    ...(told.includes('rcs') && phone.in_use !== null ? [text.phone(phone.in_use)] : []),
  ]
  const later = phone.approves_from === null ? [] : [text.approvesFrom(format.time(phone.approves_from, 'moment'))]
  return (
    <Section id="in-use" title={text.title}>
      <ul className="grid gap-1 text-muted">
        {[...(ways.length === 0 ? [text.nothing] : ways), ...later].map((line) => (
          <li key={line} className="wrap-break-word">
            {line}
          </li>
        ))}
      </ul>
    </Section>
  )
}
