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

/** Where links lead that confirm or undo a change: it says what would happen and asks. Opening it uses nothing up. */
export default async function MailedLink() {
  const { sandbox } = await readSignInOptions()
  return (
    <PublicShell sandbox={sandbox}>
      <MailedLinkView />
    </PublicShell>
  )
}
