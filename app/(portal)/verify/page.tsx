import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { verifyTexts } from '@/components/verify/messages'
import { VerifyView } from '@/components/verify/verify-view'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'
import WalletLayout from '../(wallet)/layout'

export async function generateMetadata(): Promise<Metadata> {
  const { title } = await readText(verifyTexts)
  return { title }
}

/**
 * The page that checks an evidence file, without a sign-in. The file stays in the browser. A signed-in person checks it
 * within the wallet.
 */
export default async function Verify() {
  const { sandbox, signedInAt } = await readSignInOptions()
  if (signedInAt !== null) {
    return (
      <WalletLayout>
        <VerifyView />
      </WalletLayout>
    )
  }
  return (
    <PublicShell sandbox={sandbox}>
      <VerifyView />
    </PublicShell>
  )
}
