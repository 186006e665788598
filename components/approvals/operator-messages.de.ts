import type { Translated } from '@/components/i18n/texts'
import type { operatorText } from './operator-messages'

export const operatorTextDe: Translated<typeof operatorText> = {
  operatedBy: 'Betrieben von',
  verified: 'geprüft',
}
