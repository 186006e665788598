import type { ReactNode } from 'react'
import { readText } from '@/components/i18n/read-text'
import type { CardholderChallenge, LimitBump, PendingList, SessionView } from '@/components/lib/api-types'
import { ShortcutsProvider } from '@/components/shortcuts/shortcuts-provider'
import { KeepFocus } from '@/components/ui/keep-focus'
import { LiveProvider, StillProvider } from './live-provider'
import { layoutTexts } from './messages'
import { PendingAnnouncer } from './pending-announcer'
import { SandboxBanner } from './sandbox-banner'
import { Sidebar } from './sidebar'
import { TabBar } from './tab-bar'
import { TopBar } from './top-bar'

interface AppShellProps {
  readonly me: SessionView
  readonly pending: PendingList
  readonly stepUps: CardholderChallenge[]
  readonly bumps: { readonly limit_bumps: LimitBump[] }
  /** Whether the page is kept up to date while it is open. */
  readonly isLive: boolean
  readonly children: ReactNode
}

/** The layout around a signed-in page. */
export async function AppShell({ me, pending, stepUps, bumps, isLive, children }: AppShellProps) {
  const text = await readText(layoutTexts)
  const { principal, sandbox } = me
  const name = principal.display_name ?? principal.email ?? text.account
  const Provider = isLive ? LiveProvider : StillProvider
  return (
    <Provider principalId={principal.id} initialPending={pending} initialStepUps={stepUps} initialBumps={bumps}>
      <ShortcutsProvider>
        <KeepFocus />
        <a
          href="#content"
          className="sr-only rounded-control bg-accent font-medium text-on-accent focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-50 focus:px-4 focus:py-3"
        >
          {text.skip}
        </a>
        {sandbox === null ? null : <SandboxBanner mode={sandbox} as="section" />}
        <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]">
          <Sidebar name={name} email={principal.email} sandbox={sandbox !== null} text={text} />
          <div>
            <TopBar me={me} freeze={text.freeze} freezing={text.freezing} />
            <main
              id="content"
              tabIndex={-1}
              className="mx-auto grid w-full max-w-4xl grid-cols-[minmax(0,1fr)] content-start gap-5 px-4 pt-5 pb-[calc(4.5rem+env(safe-area-inset-bottom))] outline-none tight:pb-5 sm:gap-6 sm:pt-6 has-data-decide:pt-2 has-data-decide:pb-0 sm:px-6 lg:px-10 lg:py-10 lg:has-data-decide:pb-0"
            >
              <PendingAnnouncer />
              {children}
            </main>
          </div>
        </div>
        <TabBar name={name} email={principal.email} text={text} />
      </ShortcutsProvider>
    </Provider>
  )
}
