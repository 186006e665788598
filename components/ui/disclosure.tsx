import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

interface DisclosureProps {
  readonly summary: string
  readonly children: ReactNode
}

/** Folded away until asked for; works without scripts. */
export function Disclosure({ summary, children }: DisclosureProps) {
  return (
    <details className="group rounded-card border border-line bg-surface shadow-card">
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-2 rounded-card px-5 py-3 font-semibold">
        <ChevronRight
          aria-hidden
          className="size-5 shrink-0 text-muted transition-transform group-open:rotate-90 rtl:-scale-x-100"
        />
        {summary}
      </summary>
      <div className="border-t border-line p-5">{children}</div>
    </details>
  )
}
