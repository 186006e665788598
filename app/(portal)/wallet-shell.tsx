import type { ReactNode } from 'react'
import { AppShell } from '@/components/layout/app-shell'
import { portal, readMe } from '@/server/transport/trpc/rsc'

interface WalletShellProps {
  /** Whether the page is kept up to date while it is open. */
  readonly isLive: boolean
  readonly children: ReactNode
}

/** The layout around a page of the signed-in person. */
export async function WalletShell({ isLive, children }: WalletShellProps) {
  const api = await portal()
  const [me, pending, stepUps, bumps] = await Promise.all([
    readMe(),
    api.approvals.pending(),
    api.payments.stepUps(),
    api.limits.bumps(),
  ])
  return (
    <AppShell me={me} pending={pending} stepUps={stepUps} bumps={bumps} isLive={isLive}>
      {children}
    </AppShell>
  )
}
