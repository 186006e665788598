'use client'

import { Component, type ReactNode, Suspense } from 'react'
import { intoSight } from '@/components/lib/into-sight'
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
export class LatePart extends Component<LatePartProps, { readonly isLost: boolean }> {
  override state = { isLost: false }

  static getDerivedStateFromError() {
    return { isLost: true }
  }

  override render() {
    const { meanwhile = null, children } = this.props
    if (!this.state.isLost) return <Suspense fallback={meanwhile}>{children}</Suspense>
    return (
      <>
        {meanwhile}
        <Suspense fallback={null}>
          <div ref={intoSight} role="alert">
            <StaleNotice />
          </div>
        </Suspense>
      </>
    )
  }
}
