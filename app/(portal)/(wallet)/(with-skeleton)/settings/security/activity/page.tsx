import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { readMember, type Search } from '@/components/lib/read-member'
import { securityActivityTexts } from '@/components/security/activity-messages'
import { SECURITY_ACTIVITY_PATH } from '@/components/security/activity-path'
import { securityTexts } from '@/components/security/messages'
import { SecurityActivity } from '@/components/security/security-activity'
import { PageHeader } from '@/components/ui/page-header'
import { UnreadLink } from '@/components/ui/unread-link'
import { SECURITY_CURSOR } from '@/server/surfaces/portal/input'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await readText(securityActivityTexts)
  return { title, description }
}

interface SecurityActivityProps {
  readonly searchParams: Promise<Search>
}

export default async function SecurityActivityPage({ searchParams }: SecurityActivityProps) {
  const { title, description } = await readText(securityActivityTexts)
  const { title: back } = await readText(securityTexts)
  const read = readMember(await searchParams, 'before', (value) => SECURITY_CURSOR.test(value))
  const before = read === null || read === '' ? undefined : read
  const api = await portal()
  const initial = await api.security.activity(before === undefined ? {} : { before })
  return (
    <>
      <PageHeader title={title} description={description} back={{ href: '/settings/security', label: back }} />
      {read === null ? <UnreadLink href={SECURITY_ACTIVITY_PATH} /> : null}
      <SecurityActivity key={before ?? 'newest'} before={before} initial={initial} />
    </>
  )
}
