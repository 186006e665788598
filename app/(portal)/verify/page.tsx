import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { verifyTexts } from '@/components/verify/messages'
import { VerifyView } from '@/components/verify/verify-view'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'

export async function generateMetadata(): Promise<Metadata> {
  const { title } = await readText(verifyTexts)
  return { title }
}

/** The page that checks an evidence file, without a sign-in. The file stays in the browser. */
export default async function Verify() {
  const { sandbox } = await readSignInOptions()
  return (
    <PublicShell sandbox={sandbox}>
      <VerifyView />
    </PublicShell>
  )
}
