import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { EraseView } from '@/components/privacy/erase-view'
import { keptTexts } from '@/components/privacy/kept-messages'
import { portal, readMe } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = (await readText(keptTexts)).erase
  return { title, description }
}

/**
 * Outside the layout of the wallet's pages, which would notice that the session has ended before this page says why.
 */
export default async function Erase() {
  const api = await portal()
  const { sandbox } = await readMe()
  return (
    <PublicShell sandbox={sandbox}>
      <EraseView view={await api.privacy.read()} />
    </PublicShell>
  )
}
