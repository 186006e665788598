import type { ReactNode } from 'react'
import { LanguageChoice } from '@/components/i18n/language-choice'
import { readText } from '@/components/i18n/read-text'
import { SectionLink } from '@/components/ui/text-link'
import type { SandboxMode } from '@/server/base/core/sandbox-mode'
import { BareShell } from './bare-shell'
import { layoutTexts } from './messages'
import { SandboxBanner } from './sandbox-banner'

interface PublicShellProps {
  readonly sandbox: SandboxMode
  readonly children: ReactNode
}

/**
 * The layout of a page without sign-in. Its link prefetches nothing, since the page that checks evidence must send
 * nothing.
 */
export async function PublicShell({ sandbox, children }: PublicShellProps) {
  const { nav } = await readText(layoutTexts)
  return (
    <>
      {sandbox === null ? null : <SandboxBanner mode={sandbox} />}
      <BareShell
        below={
          <div className="grid justify-items-center gap-4">
            <LanguageChoice className="w-full max-w-60" />
            <SectionLink href="/accessibility" prefetch={false}>
              {nav.accessibility}
            </SectionLink>
          </div>
        }
      >
        {children}
      </BareShell>
    </>
  )
}
