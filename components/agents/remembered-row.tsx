import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'

interface RememberedRowProps {
  readonly title: string
  readonly detail: ReactNode
  readonly action: string
  /** The action in full, for screen readers, which read the buttons one after the other. */
  readonly actionName: string
  readonly busy: boolean
  readonly onAction: () => void
}

/** Shows something that the person granted, with the button that takes it back. */
export function RememberedRow({ title, detail, action, actionName, busy, onAction }: RememberedRowProps) {
  return (
    <li className="flex items-center justify-between gap-4 px-5 py-2 sm:py-3">
      <div className="min-w-0">
        <bdi className="block wrap-anywhere font-medium">{title}</bdi>
        <p className="text-sm text-muted">{detail}</p>
      </div>
      <Button variant="secondary" size="sm" aria-label={actionName} busy={busy} onClick={onAction}>
        {action}
      </Button>
    </li>
  )
}
