import type { Metadata } from 'next'
import { MerchantsPage } from '@/components/merchants/merchants-view'
import { merchantsText } from '@/components/merchants/messages'
import { portal } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: merchantsText.title }

export default async function Merchants() {
  const api = await portal()
  return <MerchantsPage initial={await api.merchants.read()} />
}
