import type { ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

/** Shows names and values, one pair per line. */
export function Facts({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <dl className={cn('grid gap-3', className)}>{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 sm:grid-cols-[11rem_minmax(0,1fr)] sm:items-baseline">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
