import type { ReactNode } from 'react'
import { AppShell } from '@/components/layout/app-shell'
import { portal, readMe } from '@/server/transport/trpc/rsc'

export default async function WalletLayout({ children }: { readonly children: ReactNode }) {
  const api = await portal()
  const [me, stepUps, bumps] = await Promise.all([readMe(), api.payments.stepUps(), api.limits.bumps()])
  const pending = me.switches.consent_scan ? await api.approvals.pending() : { pending: [] }
  return (
    <AppShell me={me} pending={pending} stepUps={stepUps} bumps={bumps}>
      {children}
    </AppShell>
  )
}
