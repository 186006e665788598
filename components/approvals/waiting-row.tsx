'use client'

import { CircleHelp } from 'lucide-react'
import Link from 'next/link'
import { useId } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { cn } from '@/components/lib/cn'
import { ForeignText } from '@/components/ui/foreign-text'
import { consentTexts } from './messages'
import { TimeLeft, useTimeLeft } from './time-left'

interface WaitingRowProps {
  readonly href: string
  /** The amount, or what is requested instead. */
  readonly title: string
  readonly payee: string | null
  /** Whether nobody has verified the payee, which is a host then. */
  readonly isUnverified: boolean
  /** The agent's name. */
  readonly agent: string
  readonly until: string
  /** A short note, such as "over a limit". */
  readonly note?: string | undefined
}

/** Shows a waiting item in two lines; the whole row links to the page where the person answers. */
export function WaitingRow({ href, title, payee, isUnverified, agent, until, note }: WaitingRowProps) {
  const name = useRowName({ title, payee, agent, until })
  const notesId = useId()
  return (
    <li>
      <Link
        href={href}
        aria-label={name}
        aria-describedby={notesId}
        className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] content-center items-baseline gap-x-4 px-4 py-1.5 tight:grid-cols-1 -outline-offset-2 hover:bg-sunken sm:px-5"
      >
        <span className="flex min-w-0 gap-x-1 font-medium tight:flex-wrap">
          <span className={cn('font-semibold tabular-nums', payee === null ? 'one-line' : 'shrink-0')}>{title}</span>
          {payee === null ? null : <Shop name={payee} isHost={isUnverified} />}
        </span>
        <span className="text-sm text-muted">
          <TimeLeft until={until} />
        </span>
        <span className="col-span-2 flex min-w-0 gap-x-1 text-sm text-muted tight:col-span-1 tight:flex-wrap">
          <span className="one-line">
            <ForeignText text={agent} />
          </span>
          <Notes id={notesId} isUnverified={isUnverified} note={note} />
        </span>
      </Link>
    </li>
  )
}

/** A host is cut at the front where it is too long for the row, since its end says whose it is. */
function Shop({ name, isHost }: { readonly name: string; readonly isHost: boolean }) {
  if (!isHost) return <bdi className="one-line">{name}</bdi>
  return (
    <span dir="rtl" className="one-line tight:[direction:ltr]">
      <bdi dir="ltr">{name}</bdi>
    </span>
  )
}

interface NotesProps extends Pick<WaitingRowProps, 'isUnverified' | 'note'> {
  readonly id: string
}

/** The notes of a row, which describe its link, since the link's name replaces its content for screen readers. */
function Notes({ id, isUnverified, note }: NotesProps) {
  const { unverified } = useText(consentTexts)
  return (
    <span id={id} className="shrink-0 font-medium text-warning tight:shrink">
      {isUnverified ? (
        <>
          <Dot />
          <CircleHelp aria-hidden className="inline size-4 align-text-bottom" /> {unverified}{' '}
        </>
      ) : null}
      {note === undefined ? null : (
        <>
          <Dot />
          {note}
        </>
      )}
    </span>
  )
}

const Dot = () => <span aria-hidden>· </span>

function useRowName({
  title,
  payee,
  agent,
  until,
}: Pick<WaitingRowProps, 'title' | 'payee' | 'agent' | 'until'>): string {
  const { payTo, list } = useText(consentTexts)
  const left = useTimeLeft(until)
  const what = payee === null ? title : `${title} ${payTo} ${payee}`
  return [what, agent, `${left} ${list.left}`].join(', ')
}
