'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'

/** Hides its content on pages where something is approved, so that nothing competes with the decision. */
export function StepsAside({ children }: { readonly children: ReactNode }) {
  const pathname = usePathname()
  return pathname.startsWith('/approve/') || pathname.startsWith('/payments/confirm/') ? null : children
}
