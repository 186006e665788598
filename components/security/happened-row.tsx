import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface HappenedRowProps {
  readonly icon: LucideIcon
  readonly title: ReactNode
  /** The details. */
  readonly detail?: ReactNode
  /** When, how and by whom it was done. */
  readonly origin: ReactNode
  readonly action?: ReactNode
}

/** Shows one row of the security activity. */
export function HappenedRow({ icon: Icon, title, detail, origin, action }: HappenedRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 gap-3">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="grid min-w-0 gap-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere font-medium">{title}</p>
          {detail == null ? null : <p className="wrap-anywhere text-sm first-letter:uppercase">{detail}</p>}
          <p className="wrap-anywhere text-sm text-muted">{origin}</p>
        </div>
      </div>
      {action == null ? null : <div className="max-sm:ms-8">{action}</div>}
    </li>
  )
}
