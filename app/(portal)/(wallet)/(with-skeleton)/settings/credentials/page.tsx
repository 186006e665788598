import type { Metadata } from 'next'
import { CredentialsView } from '@/components/credentials/credentials-view'
import { credentialsTexts } from '@/components/credentials/messages'
import { readText } from '@/components/i18n/read-text'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await readText(credentialsTexts)
  return { title, description }
}

export default async function Credentials() {
  const api = await portal()
  return <CredentialsView initial={await api.credentials.list()} />
}
