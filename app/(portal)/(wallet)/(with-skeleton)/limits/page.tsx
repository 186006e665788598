import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { LimitsPage } from '@/components/limits/limits-view'
import { limitsTexts } from '@/components/limits/messages'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const limitsText = await readText(limitsTexts)
  return { title: limitsText.title, description: limitsText.description }
}

export default async function Limits() {
  const api = await portal()
  return <LimitsPage initial={await api.limits.read()} />
}
