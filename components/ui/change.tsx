import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

interface ChangeProps {
  readonly from: ReactNode
  readonly to: ReactNode
  /** What the arrow is read as. */
  readonly becomes: string
  readonly className?: string
}

/** What was and what will be, with an arrow that stays with what it leads to when the line breaks. */
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
