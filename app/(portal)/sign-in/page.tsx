import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { EndedNotice } from '@/components/sign-in/ended-notice'
import { signInTexts } from '@/components/sign-in/messages'
import { SignInView } from '@/components/sign-in/sign-in-view'
import { landingPath, safeNext } from '@/server/base/core/sign-in-input'
import { readEnd } from '@/server/identity/sessions/input'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'

export async function generateMetadata(): Promise<Metadata> {
  const signInText = await readText(signInTexts)
  return { title: signInText.title }
}

interface SignInProps {
  readonly searchParams: Promise<{
    readonly next?: string | string[]
    readonly again?: string | string[]
    readonly ended?: string | string[]
  }>
}

export default async function SignIn({ searchParams }: SignInProps) {
  const { next: wanted, again, ended } = await searchParams
  const next = safeNext(typeof wanted === 'string' ? wanted : null)
  const { signedInAt, sandbox, passkeys, email } = await readSignInOptions()
  // Some actions need a session that was opened just now.
  if (signedInAt !== null && again !== '1') redirect(landingPath(next))
  const end = readEnd(ended)
  return (
    <PublicShell sandbox={sandbox}>
      {end === null ? null : <EndedNotice end={end} />}
      <SignInView
        next={next}
        sandbox={sandbox}
        passkeys={passkeys}
        again={signedInAt === null ? null : { email, signedInAt }}
      />
    </PublicShell>
  )
}
