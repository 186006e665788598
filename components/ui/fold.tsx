import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

interface FoldProps {
  readonly summary: string
  readonly children: ReactNode
}

/** More about what stands above it, folded away until asked for; works without scripts. */
export function Fold({ summary, children }: FoldProps) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1.5 font-medium text-accent">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 transition-transform group-open:rotate-90 rtl:-scale-x-100"
        />
        {summary}
      </summary>
      {children}
    </details>
  )
}
