import type { TextOf } from '@/components/i18n/texts'
import { holdsCardNumber, isPlainLine } from '@/server/base/core/free-text'
import type { agentsTexts } from './messages'

/** Returns in words what is wrong with a name or purpose of an agent; undefined when nothing is. */
export function checkName(line: string, max: number, text: TextOf<typeof agentsTexts>['new']): string | undefined {
  if (line.length > max) return text.tooLong(max)
  if (!isPlainLine(line)) return text.notPlain
  return holdsCardNumber(line) ? text.cardNumber : undefined
}
