import type { ReactNode } from 'react'
import { PortalProvider } from '@/components/api/client'

export default function PortalLayout({ children }: { readonly children: ReactNode }) {
  return <PortalProvider>{children}</PortalProvider>
}
