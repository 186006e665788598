import { plainText } from '@/components/lib/plain-text'

interface ForeignTextProps {
  readonly text: string
  /** The longest text, in characters. */
  readonly max?: number
}

const NAME_MAX = 80

/**
 * Shows text of another party: never as markup, capped in length, and without an effect on the direction of the text
 * around it.
 */
export function ForeignText({ text, max = NAME_MAX }: ForeignTextProps) {
  return <bdi>{plainText(text, max)}</bdi>
}
