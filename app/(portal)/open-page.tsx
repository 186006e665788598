import type { ReactNode } from 'react'
import { PublicShell } from '@/components/layout/public-shell'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'
import { WalletShell } from './wallet-shell'

/**
 * The layout of a page that needs no sign-in: within the wallet for a signed-in person, but without the live stream,
 * since the page that checks evidence must send nothing.
 */
export async function OpenPage({ children }: { readonly children: ReactNode }) {
  const { sandbox, signedInAt } = await readSignInOptions()
  return signedInAt === null ? (
    <PublicShell sandbox={sandbox}>{children}</PublicShell>
  ) : (
    <WalletShell isLive={false}>{children}</WalletShell>
  )
}
