import { plainText, splitTail } from '@/components/lib/plain-text'

interface ForeignTextProps {
  readonly text: string
  /** The longest text, in characters. */
  readonly max?: number
}

const NAME_MAX = 80

/**
 * Shows text of another party: never as markup, capped in length, and without an effect on the direction of the text
 * around it. The tail of an agent's key is never torn apart.
 */
export function ForeignText({ text, max = NAME_MAX }: ForeignTextProps) {
  const { start, tail } = splitTail(plainText(text, max))
  return (
    <bdi>
      {start}
      {tail === null ? null : (
        <>
          {' '}
          <span className="whitespace-nowrap">{tail}</span>
        </>
      )}
    </bdi>
  )
}
