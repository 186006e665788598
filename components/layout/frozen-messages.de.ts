import type { Translated } from '@/components/i18n/texts'
import type { frozenText } from './frozen-messages'

export const frozenTextDe: Translated<typeof frozenText> = {
  title: 'Ausgaben sind eingefroren',
  body: 'Nichts wird bezahlt, und Sie werden nicht gefragt.',
  since: 'Seit',
  unfreeze: 'Einfrieren aufheben',
  question: 'Agenten wieder zahlen lassen?',
  asBefore: 'Ihre Limits sind unverändert.',
  keep: 'Eingefroren lassen',
}
