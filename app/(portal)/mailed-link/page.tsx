import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { MailedLinkView } from '@/components/mailed-link/mailed-link-view'
import { mailedLinkTexts } from '@/components/mailed-link/messages'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'

export async function generateMetadata(): Promise<Metadata> {
  const { title } = await readText(mailedLinkTexts)
  return { title }
}

/**
 * The page of a mailed link that confirms or undoes a change: it says what will happen, and asks. Opening it does not
 * use the link up.
 */
export default async function MailedLink() {
  const { sandbox } = await readSignInOptions()
  return (
    <PublicShell sandbox={sandbox}>
      <MailedLinkView />
    </PublicShell>
  )
}
