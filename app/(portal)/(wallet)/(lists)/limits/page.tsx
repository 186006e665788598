import type { Metadata } from 'next'
import { LimitsPage } from '@/components/limits/limits-view'
import { limitsText } from '@/components/limits/messages'
import { portal } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: limitsText.title }

export default async function Limits() {
  const api = await portal()
  return <LimitsPage initial={await api.limits.read()} />
}
