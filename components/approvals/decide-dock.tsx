'use client'

import type { ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { decisionTexts } from './decision-messages'
import { TimeLeft } from './time-left'

interface DecideDockProps {
  readonly until: string
  /** The two digits that the agent shows as well. */
  readonly matchCode?: string
  /** The buttons that approve and decline. */
  readonly children: ReactNode
}

/** Shows the time left and the two buttons, which stay in sight while the facts scroll. */
export function DecideDock({ until, matchCode, children }: DecideDockProps) {
  const text = useText(decisionTexts)
  return (
    <div data-decide className="decide-dock">
      {matchCode === undefined ? null : (
        <p className="-mx-4 bg-canvas px-4 py-1.5 text-sm text-pretty sm:mx-0 sm:px-1">{text.matchHint}</p>
      )}
      <section
        aria-label={text.decide}
        className="decide-bar -mx-4 grid gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:mx-0 sm:rounded-t-card sm:border-x"
      >
        <dl className="flex flex-wrap items-baseline gap-x-2 font-semibold">
          {matchCode === undefined ? null : (
            <div className="flex items-baseline gap-x-2 after:text-muted after:content-['·']">
              <dt>{text.matchCode}</dt>
              <dd className="font-mono text-lg/6 tracking-wider">{matchCode}</dd>
            </div>
          )}
          <div>
            <dt className="sr-only">{text.timeLeft}</dt>
            <dd>
              <TimeLeft until={until} /> {text.left}
            </dd>
          </div>
        </dl>
        <div className="grid auto-rows-fr grid-cols-2 gap-3">{children}</div>
      </section>
    </div>
  )
}
