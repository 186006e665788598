import type { ReactNode } from 'react'
import { PublicShell } from '@/components/layout/public-shell'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'
import WalletLayout from './(wallet)/layout'

/** The layout of a page that needs no sign-in: within the wallet for a signed-in person. */
export async function OpenPage({ children }: { readonly children: ReactNode }) {
  const { sandbox, signedInAt } = await readSignInOptions()
  return signedInAt === null ? (
    <PublicShell sandbox={sandbox}>{children}</PublicShell>
  ) : (
    <WalletLayout>{children}</WalletLayout>
  )
}
