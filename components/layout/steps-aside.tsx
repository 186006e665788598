'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'

/** What is not there while something is being approved, so that nothing competes with the decision. */
export function StepsAside({ children }: { readonly children: ReactNode }) {
  const pathname = usePathname()
  return pathname.startsWith('/approve/') || pathname.startsWith('/payments/confirm/') ? null : children
}
