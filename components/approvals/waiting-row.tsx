'use client'

import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import { ForeignText } from '@/components/ui/foreign-text'
import { consentTexts } from './messages'
import { TimeLeft, useTimeLeft } from './time-left'

interface WaitingRowProps {
  readonly href: string
  /** The amount, or what is requested instead. */
  readonly title: string
  readonly payee: string | null
  /** The agent's name. */
  readonly agent: string
  readonly until: string
  /** A short note, such as "over a limit". */
  readonly note?: string | undefined
}

/** Shows a waiting item in two lines; the whole row links to the page where the person answers. */
export function WaitingRow({ href, title, payee, agent, until, note }: WaitingRowProps) {
  const name = useRowName({ title, payee, agent, until })
  return (
    <li>
      <Link
        href={href}
        aria-label={name}
        className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] content-center items-baseline gap-x-4 px-4 py-1.5 tight:grid-cols-1 -outline-offset-2 hover:bg-sunken sm:px-5"
      >
        <span className="one-line font-medium">
          <span className="font-semibold tabular-nums">{title}</span> {payee === null ? null : <bdi>{payee}</bdi>}
        </span>
        <span className="text-sm text-muted">
          <TimeLeft until={until} />
        </span>
        <span className="col-span-2 one-line text-sm text-muted tight:col-span-1">
          <ForeignText text={agent} />
          {note === undefined ? null : <span className="font-medium text-warning"> · {note}</span>}
        </span>
      </Link>
    </li>
  )
}

function useRowName({ title, payee, agent, until }: Omit<WaitingRowProps, 'href' | 'note'>): string {
  const { payTo, list } = useText(consentTexts)
  const left = useTimeLeft(until)
  const what = payee === null ? title : `${title} ${payTo} ${payee}`
  return [what, agent, `${left} ${list.left}`].join(', ')
}
