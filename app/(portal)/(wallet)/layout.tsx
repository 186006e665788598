import type { ReactNode } from 'react'
import { AppShell } from '@/components/layout/app-shell'
import { portal, readMe } from '@/server/transport/trpc/rsc'

export default async function WalletLayout({ children }: { readonly children: ReactNode }) {
  const api = await portal()
  const [me, pending, stepUps, bumps] = await Promise.all([
    readMe(),
    api.approvals.pending(),
    api.payments.stepUps(),
    api.limits.bumps(),
  ])
  return (
    <AppShell me={me} pending={pending} stepUps={stepUps} bumps={bumps}>
      {children}
    </AppShell>
  )
}
