import type { Translated } from '@/components/i18n/texts'
import type { relaxText } from './relax-messages'

export const relaxTextDe: Translated<typeof relaxText> = {
  confirm: 'Bestätigen',
  becomes: 'wird zu',
  how: 'Sie bestätigen mit Ihrem Passkey. Wenn Sie keinen haben, genügt es, dass Sie sich gerade angemeldet haben.',
}
