import type { ReactNode } from 'react'
import { WalletShell } from '../wallet-shell'

export default function WalletLayout({ children }: { readonly children: ReactNode }) {
  return <WalletShell isLive>{children}</WalletShell>
}
