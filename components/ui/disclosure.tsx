import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  card: {
    details: 'group rounded-card border border-line bg-surface shadow-card',
    summary: 'flex min-h-14 cursor-pointer list-none items-center gap-2 rounded-card px-5 py-3 font-semibold',
    icon: 'size-5 text-muted',
    content: 'border-t border-line p-5',
  },
  inline: {
    details: 'group',
    summary: 'inline-flex min-h-11 cursor-pointer list-none items-center gap-1.5 font-medium text-accent',
    icon: 'size-4',
    content: undefined,
  },
} as const

interface DisclosureProps {
  readonly summary: string
  /** The look: a card, or a line under the text that it adds to. */
  readonly look?: keyof typeof looks
  /** The id of the summary as a heading, for the region that it names. */
  readonly headingId?: string
  readonly children: ReactNode
}

/** Shows folded content that the reader can open; works without scripts. */
export function Disclosure({ summary, look = 'card', headingId, children }: DisclosureProps) {
  const { details, summary: line, icon, content } = looks[look]
  return (
    <details className={details}>
      <summary className={line}>
        <ChevronRight
          aria-hidden
          className={`${icon} shrink-0 transition-transform group-open:rotate-90 rtl:-scale-x-100`}
        />
        {headingId === undefined ? summary : <h2 id={headingId}>{summary}</h2>}
      </summary>
      <div className={content}>{children}</div>
    </details>
  )
}
