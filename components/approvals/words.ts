import type { Format } from '@/components/i18n/format'
import type { TextOf } from '@/components/i18n/texts'
import type { consentTexts } from './messages'

/** How the reader's language says it: facts are put into words on the server, where they cost the browser nothing. */
export interface Words {
  readonly text: TextOf<typeof consentTexts>
  readonly format: Format
}
