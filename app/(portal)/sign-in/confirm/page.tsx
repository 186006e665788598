import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { ConfirmView } from '@/components/sign-in/confirm-view'
import { signInTexts } from '@/components/sign-in/messages'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'

export async function generateMetadata(): Promise<Metadata> {
  const signInText = await readText(signInTexts)
  return { title: signInText.title }
}

export default async function ConfirmSignIn() {
  const { sandbox } = await readSignInOptions()
  return (
    <PublicShell sandbox={sandbox}>
      <ConfirmView />
    </PublicShell>
  )
}
