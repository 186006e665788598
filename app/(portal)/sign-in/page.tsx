import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { BareShell } from '@/components/layout/bare-shell'
import { signInText } from '@/components/sign-in/messages'
import { SignInView } from '@/components/sign-in/sign-in-view'
import { safeNext } from '@/server/sessions/contract'
import { readSignInOptions } from '@/server/trpc/rsc'

export const metadata: Metadata = { title: signInText.title }

interface SignInProps {
  readonly searchParams: Promise<{ readonly next?: string | string[] }>
}

export default async function SignIn({ searchParams }: SignInProps) {
  const { next: wanted } = await searchParams
  const next = safeNext(typeof wanted === 'string' ? wanted : null)
  const { signedIn, sandbox } = await readSignInOptions()
  if (signedIn) redirect(next)
  return (
    <BareShell sandbox={sandbox}>
      <SignInView next={next} sandbox={sandbox} />
    </BareShell>
  )
}
