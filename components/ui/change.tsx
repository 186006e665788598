import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

interface ChangeProps {
  readonly from: ReactNode
  readonly to: ReactNode
  /** The text that a screen reader reads for the arrow. */
  readonly becomes: string
  readonly className?: string
}

/** Shows the old and the new value with an arrow, which stays with the new one when the line breaks. */
export function Change({ from, to, becomes, className }: ChangeProps) {
  return (
    <span className={cn('flex flex-wrap items-center gap-x-2 tabular-nums', className)}>
      {from}
      <span className="flex min-w-0 items-center gap-2">
        <ArrowRight aria-label={becomes} className="size-[1em] shrink-0 text-muted rtl:-scale-x-100" />
        {to}
      </span>
    </span>
  )
}
