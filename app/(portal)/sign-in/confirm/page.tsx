import type { Metadata } from 'next'
import { BareShell } from '@/components/layout/bare-shell'
import { ConfirmView } from '@/components/sign-in/confirm-view'
import { signInText } from '@/components/sign-in/messages'
import { readSignInOptions } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: signInText.title }

export default async function ConfirmSignIn() {
  const { sandbox } = await readSignInOptions()
  return (
    <BareShell sandbox={sandbox}>
      <ConfirmView />
    </BareShell>
  )
}
