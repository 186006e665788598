'use client'

import { usePathname } from 'next/navigation'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { cn } from '@/components/lib/cn'
import { useWanted } from '@/components/lib/use-wanted'
import { isCurrent, morePages } from './nav'

// Fetched when it first opens, so that pages do not load it.
const Panel = lazy(() => import('./more-panel').then(({ MorePanel: view }) => ({ default: view })))

interface MoreSheetProps {
  readonly name: string
  readonly email: string | null
  /** The content of the button that opens it. */
  readonly children: ReactNode
}

export function MoreSheet({ name, email, children }: MoreSheetProps) {
  const [open, setOpen] = useState(false)
  const wanted = useWanted(open)
  const pathname = usePathname()
  const holdsThisPage = morePages.some((item) => isCurrent(item, pathname))
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        className={cn(
          'grid min-h-14 content-center justify-items-center gap-0.5 px-0.5 text-center text-xs font-medium hyphens-auto hover:text-ink',
          holdsThisPage ? 'text-accent' : 'text-muted',
        )}
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
