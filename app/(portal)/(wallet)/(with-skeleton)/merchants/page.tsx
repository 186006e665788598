import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { MerchantsPage } from '@/components/merchants/merchants-view'
import { merchantsTexts } from '@/components/merchants/messages'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const merchantsText = await readText(merchantsTexts)
  return { title: merchantsText.title, description: merchantsText.description }
}

export default async function Merchants() {
  const api = await portal()
  return <MerchantsPage initial={await api.merchants.read()} />
}
