'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTRPC } from '@/components/api/client'
import type { SessionView } from '@/components/lib/api-types'
import { cn } from '@/components/lib/cn'
import { NOTICES_ID } from '@/components/ui/notices'
import { FreezeButton } from './freeze-button'
import { PRODUCT } from './product'
import { StaleBanner } from './stale-banner'

/** Loaded only when needed, since wallets are seldom frozen and processing is seldom restricted. */
const Stopped = lazy(() => import('./stopped').then(({ Stopped: view }) => ({ default: view })))

interface TopBarProps {
  readonly me: SessionView
  /** The label of the button that freezes the wallet; `freezing` is its label after the press. */
  readonly freeze: string
  readonly freezing: string
}

/**
 * The header of every page, with the button that freezes the wallet. Below it are the notices: that agents are stopped
 * and how to let them continue, and what is wrong with the page. Both stay in sight when the page scrolls.
 */
export function TopBar({ me, freeze, freezing }: TopBarProps) {
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.session.me.queryOptions(), initialData: me })
  const isFrozen = data.frozen_at !== null
  return (
    <div data-focus-scope className={cn('sticky z-20 tight:static', me.sandbox === null ? 'top-0' : 'top-9')}>
      <header className="flex min-h-12 flex-wrap items-center gap-3 border-b border-line bg-surface px-4 py-1 sm:px-6 lg:px-10">
        <span className="font-semibold lg:hidden">{PRODUCT}</span>
        <FreezeButton isFrozen={isFrozen} label={freeze} busyLabel={freezing} />
      </header>
      <div
        data-notices
        className="group/notices grid max-h-[45dvh] overflow-y-auto bg-surface *:grid *:[&>*]:rounded-none"
      >
        <div>
          {isFrozen || data.processing_restricted ? (
            <Suspense fallback={null}>
              <Stopped me={data} />
            </Suspense>
          ) : null}
        </div>
        <StaleBanner />
        <div id={NOTICES_ID} />
      </div>
    </div>
  )
}
