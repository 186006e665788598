'use client'

import { Component, type ReactNode, Suspense } from 'react'

interface LoadBoundaryProps {
  /** Shown until the children are loaded. */
  readonly meanwhile?: ReactNode
  /** Shown where they cannot be loaded. */
  readonly lost: ReactNode
  readonly children: ReactNode
}

/** Shows children whose scripts are loaded separately. Their own errors are left to the boundary above. */
export class LoadBoundary extends Component<LoadBoundaryProps, { readonly isLost: boolean }> {
  override state = { isLost: false }

  static getDerivedStateFromError(error: Error) {
    if (error.name !== 'ChunkLoadError') throw error
    return { isLost: true }
  }

  override render() {
    const { meanwhile = null, lost, children } = this.props
    return <Suspense fallback={meanwhile}>{this.state.isLost ? lost : children}</Suspense>
  }
}
