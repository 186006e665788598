'use client'

import { Clock } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
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
}

/** What is wanted, by whom, and how long there is to answer. */
export function WaitingFacts({ lead, title, payee, agent, until }: WaitingFactsProps) {
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
      </p>
    </div>
  )
}
