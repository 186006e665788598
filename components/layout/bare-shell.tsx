import type { ReactNode } from 'react'
import { LanguageChoice } from '@/components/i18n/language-choice'
import { Brand } from './brand'
import { SandboxBanner } from './sandbox-banner'

interface BareShellProps {
  readonly sandbox?: boolean
  /** Where a choice of the language would change nothing, there is none. */
  readonly languages?: boolean
  readonly children: ReactNode
}

/** A page for somebody who is not signed in: one column, nothing to navigate to. */
export function BareShell({ sandbox = false, languages = true, children }: BareShellProps) {
  return (
    <>
      {sandbox ? <SandboxBanner /> : null}
      <main className="mx-auto grid w-full max-w-md grid-cols-[minmax(0,1fr)] content-start gap-8 px-4 py-12 sm:py-20">
        <Brand />
        <div className="grid gap-6 rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">{children}</div>
        {languages ? <LanguageChoice className="mx-auto w-full max-w-60" /> : null}
      </main>
    </>
  )
}
