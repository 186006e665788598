'use client'

import type { ReactNode } from 'react'
import { intoSight } from '@/components/lib/into-sight'
import { LoadBoundary } from './load-boundary'
import { StaleNotice } from './stale-notice'

interface LatePartProps {
  /** Shown until the part is there, and with the notice where it cannot be loaded. */
  readonly meanwhile?: ReactNode
  readonly children: ReactNode
}

/**
 * Shows a part of a page whose scripts are loaded separately. Where they cannot be loaded, as after an update of the
 * service, the rest of the page stays, and a notice offers to reload it.
 */
export function LatePart({ meanwhile = null, children }: LatePartProps) {
  const lost = (
    <>
      {meanwhile}
      <div ref={intoSight} role="alert">
        <StaleNotice />
      </div>
    </>
  )
  return (
    <LoadBoundary meanwhile={meanwhile} lost={lost}>
      {children}
    </LoadBoundary>
  )
}
