'use client'

import { Clock } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { ButtonLink } from '@/components/ui/button'
import { ForeignText } from '@/components/ui/foreign-text'
import { consentTexts } from './messages'
import { TimeLeft } from './time-left'

interface WaitingFactsProps {
  /** What is wanted, where it is not an approval. */
  readonly lead?: string
  readonly title: string
  readonly payee: string | null
  /** The agent's name. */
  readonly agent: string
  readonly until: string
  /** What else is to be known at a glance. */
  readonly note?: string | undefined
}

interface WaitingCardProps extends WaitingFactsProps {
  readonly href: string
  readonly action: string
  /** What the link is called where its surroundings are not seen; begins with `action`. */
  readonly actionName: string
}

/** Something that waits for the person, with the way to the page where they answer. */
export function WaitingCard({ href, action, actionName, ...facts }: WaitingCardProps) {
  return (
    <li className="grid gap-4 rounded-card border border-line border-s-4 border-s-accent bg-surface p-5 shadow-card sm:flex sm:items-center sm:justify-between">
      <WaitingFacts {...facts} />
      <ButtonLink href={href} aria-label={actionName} className="shrink-0 sm:min-w-32">
        {action}
      </ButtonLink>
    </li>
  )
}

/** What is wanted, by whom, and how long there is to answer. */
export function WaitingFacts({ lead, title, payee, agent, until, note }: WaitingFactsProps) {
  const consentText = useText(consentTexts)
  return (
    <div className="grid min-w-0 gap-1">
      {lead === undefined ? null : <p className="font-medium">{lead}</p>}
      <p className="text-2xl font-semibold tracking-tight tabular-nums">{title}</p>
      {payee === null ? null : (
        <p className="wrap-anywhere">
          <span className="text-muted">{consentText.payTo}</span> <bdi className="font-medium">{payee}</bdi>
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">
        <span className="min-w-0 wrap-anywhere">
          {consentText.askedBy} <ForeignText text={agent} />
        </span>
        <span className="inline-flex items-center gap-1.5">
          <Clock aria-hidden className="size-4 shrink-0" />
          <span>
            <TimeLeft until={until} /> {consentText.list.left}
          </span>
        </span>
        {note === undefined ? null : <span className="font-medium text-warning">{note}</span>}
      </p>
    </div>
  )
}
