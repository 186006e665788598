import type { Format } from '@/components/i18n/format'
import type { TextOf } from '@/components/i18n/texts'
import type { consentTexts } from './messages'

/** The reader's texts and formats. Facts are put into words on the server, so the browser loads nothing for them. */
export interface Words {
  readonly text: TextOf<typeof consentTexts>
  readonly format: Format
}
