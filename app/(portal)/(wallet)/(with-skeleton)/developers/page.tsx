import type { Metadata } from 'next'
import { Addresses } from '@/components/developers/developers-view'
import { developersTexts } from '@/components/developers/messages'
import { RequestLog } from '@/components/developers/request-log'
import { readText } from '@/components/i18n/read-text'
import { PageHeader } from '@/components/ui/page-header'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await readText(developersTexts)
  return { title, description }
}

export default async function Developers() {
  const { title, description } = await readText(developersTexts)
  const api = await portal()
  const [view, requests] = await Promise.all([api.developers.read(), api.developers.requests()])
  return (
    <>
      <PageHeader title={title} description={description} />
      <Addresses view={view} />
      <RequestLog initial={requests} />
    </>
  )
}
