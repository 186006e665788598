import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { privacyTexts } from '@/components/privacy/messages'
import { PrivacyView } from '@/components/privacy/privacy-view'
import { PageHeader } from '@/components/ui/page-header'
import { portal, readMe } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await readText(privacyTexts)
  return { title, description }
}

export default async function Privacy() {
  const { title, description } = await readText(privacyTexts)
  const api = await portal()
  const [me, initial] = await Promise.all([readMe(), api.privacy.read()])
  return (
    <>
      <PageHeader title={title} description={description} />
      <PrivacyView initial={initial} baseUrl={me.base_url} />
    </>
  )
}
