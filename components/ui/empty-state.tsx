import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-start gap-2 rounded-card border border-dashed border-control p-6 sm:p-8">
      <Icon aria-hidden className="size-6 text-muted" />
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      <div className="max-w-prose text-pretty text-muted">{children}</div>
      {action === undefined ? null : <div className="mt-3 flex flex-wrap gap-3">{action}</div>}
    </div>
  )
}
