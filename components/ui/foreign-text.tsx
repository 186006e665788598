import { plainText } from '@/components/lib/plain-text'

interface ForeignTextProps {
  readonly text: string
  /** In characters. */
  readonly max?: number
}

const NAME_MAX = 80

/** Text that somebody else wrote: never markup, capped, and unable to turn the direction of what is around it. */
export function ForeignText({ text, max = NAME_MAX }: ForeignTextProps) {
  return <bdi>{plainText(text, max)}</bdi>
}
