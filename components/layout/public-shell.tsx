import type { ReactNode } from 'react'
import { LanguageChoice } from '@/components/i18n/language-choice'
import { BareShell } from './bare-shell'
import { SandboxBanner } from './sandbox-banner'

interface PublicShellProps {
  readonly sandbox: boolean
  readonly children: ReactNode
}

/** Around a page for somebody who is not signed in. */
export function PublicShell({ sandbox, children }: PublicShellProps) {
  return (
    <>
      {sandbox ? <SandboxBanner /> : null}
      <BareShell below={<LanguageChoice className="mx-auto w-full max-w-60" />}>{children}</BareShell>
    </>
  )
}
