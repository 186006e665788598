import type { ReactNode } from 'react'
import { LanguageChoice } from '@/components/i18n/language-choice'
import type { SandboxMode } from '@/server/base/core/sandbox-mode'
import { BareShell } from './bare-shell'
import { SandboxBanner } from './sandbox-banner'

interface PublicShellProps {
  readonly sandbox: SandboxMode
  readonly children: ReactNode
}

/** Around a page for somebody who is not signed in. */
export function PublicShell({ sandbox, children }: PublicShellProps) {
  return (
    <>
      {sandbox === null ? null : <SandboxBanner mode={sandbox} />}
      <BareShell below={<LanguageChoice className="mx-auto w-full max-w-60" />}>{children}</BareShell>
    </>
  )
}
