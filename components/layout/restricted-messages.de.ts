import type { Translated } from '@/components/i18n/texts'
import type { restrictedText } from './restricted-messages'

export const restrictedTextDe: Translated<typeof restrictedText> = {
  title: 'Die Verarbeitung ist eingeschränkt',
  body: 'Agenten bekommen keine Erlaubnis, und nichts Neues wird abgebucht.',
  lift: 'Unter Datenschutz aufheben',
}
