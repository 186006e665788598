'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useWanted } from '@/components/lib/use-wanted'

// Fetched when it first opens, so that pages do not pay for it.
const Panel = lazy(() => import('./more-panel').then(({ MorePanel: view }) => ({ default: view })))

interface MoreSheetProps {
  readonly name: string
  readonly email: string | null
  /** The look of the button that opens it. */
  readonly className: string
  readonly children: ReactNode
}

export function MoreSheet({ name, email, className, children }: MoreSheetProps) {
  const [open, setOpen] = useState(false)
  const wanted = useWanted(open)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        className={className}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {wanted ? (
        <Suspense fallback={null}>
          <Panel name={name} email={email} open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
