import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { securityTexts } from '@/components/security/messages'
import { SecurityView } from '@/components/security/security-view'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const securityText = await readText(securityTexts)
  return { title: securityText.title, description: securityText.description }
}

export default async function Security() {
  const api = await portal()
  const [passkeys, sessions, recovery] = await Promise.all([
    api.security.passkeys(),
    api.security.sessions(),
    api.security.recovery(),
  ])
  return <SecurityView passkeys={passkeys} sessions={sessions} recovery={recovery} />
}
