import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { verifyTexts } from '@/components/verify/messages'
import { VerifyView } from '@/components/verify/verify-view'
import { OpenPage } from '../open-page'

export async function generateMetadata(): Promise<Metadata> {
  const { title } = await readText(verifyTexts)
  return { title }
}

/**
 * The page that checks an evidence file, without a sign-in. The file stays in the browser. A signed-in person checks it
 * within the wallet.
 */
export default function Verify() {
  return (
    <OpenPage>
      <VerifyView />
    </OpenPage>
  )
}
