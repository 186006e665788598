import type { Translated } from '@/components/i18n/texts'
import type { loosenText } from './loosen-messages'

export const loosenTextDe: Translated<typeof loosenText> = {
  confirm: 'Bestätigen',
  becomes: 'wird zu',
  how: 'Sie bestätigen mit Ihrem Passkey. Wenn Sie keinen haben, genügt es, dass Sie sich gerade angemeldet haben.',
}
