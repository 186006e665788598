'use client'

import { ChevronRight, ScrollText, TriangleAlert } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { useFormat } from '@/components/i18n/use-format'
import type { ActivityEntry } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { Badge } from '@/components/ui/badge'
import { CopyButton } from '@/components/ui/copy-button'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { TextLink } from '@/components/ui/text-link'
import { eventIcons } from './event-icons'
import { activityTexts } from './messages'
import { activityTitle, titleSaysMeans } from './title'
import { useHash } from './use-hash'

/** Shows one audit entry: a sentence for people, and the full record for anyone who wants to verify it. */
export function Entry({ entry }: { readonly entry: ActivityEntry }) {
  const text = useText(activityTexts)
  const isLinked = useHash() === `#seq-${entry.seq}`
  const Icon = eventIcons[entry.event] ?? ScrollText
  const detail = entry.detail === null || titleSaysMeans(entry) ? null : (text.details[entry.detail] ?? entry.detail)
  return (
    <li
      id={`seq-${entry.seq}`}
      aria-current={isLinked ? 'true' : undefined}
      className="scroll-mt-16 aria-[current=true]:bg-accent-soft"
    >
      <details open={isLinked} className="group">
        <summary className="flex cursor-pointer list-none items-start gap-4 px-5 py-4 hover:bg-sunken">
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
          <span className="grid min-w-0 flex-1 gap-0.5">
            <span className="wrap-anywhere font-medium">
              <Sentence entry={entry} />
            </span>
            {detail === null ? null : <span className="wrap-anywhere text-sm first-letter:uppercase">{detail}</span>}
            <Origin entry={entry} text={text} />
            {entry.state === 'broken' ? (
              <Badge icon={TriangleAlert} tone="danger" className="mt-1">
                {text.entry.states.broken}
              </Badge>
            ) : null}
          </span>
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-5 shrink-0 text-muted transition-transform group-open:rotate-90 rtl:-scale-x-100"
          />
        </summary>
        <Whole entry={entry} text={text.entry} />
      </details>
    </li>
  )
}

interface OriginProps {
  readonly entry: ActivityEntry
  readonly text: TextOf<typeof activityTexts>
}

/** Shows when, where in the chain and by whom; on a phone, on a line of its own. */
function Origin({ entry, text }: OriginProps) {
  return (
    <span className="grid gap-x-1 wrap-anywhere text-sm text-muted sm:flex">
      <span>
        <Moment at={entry.ts} style="long" /> · <span className="whitespace-nowrap">{text.entry.seq(entry.seq)}</span>
        {entry.state === 'verified' || entry.state === 'unsigned' ? (
          <>
            {' '}
            · <span className="whitespace-nowrap">{text.entry.states[entry.state]}</span>
          </>
        ) : null}
      </span>
      <span aria-hidden className="max-sm:hidden">
        ·
      </span>
      <span className="min-w-0">
        {entry.agent === null ? text.actors[entry.actor_kind] : <ForeignText text={entry.agent.label} />}
      </span>
    </span>
  )
}

function Sentence({ entry }: { readonly entry: ActivityEntry }) {
  const text = useText(activityTexts)
  const format = useFormat()
  const { payment } = entry
  const kind = sentences[entry.event]
  if (payment === null || kind === undefined) return activityTitle(text, entry)
  return text.sentence[kind](
    format.money(payment.amount_minor, payment.currency),
    merchantName(payment.merchant_name, payment.merchant_audience),
  )
}

const sentences: Readonly<Record<string, 'paid' | 'failed' | 'disputed' | 'refunded'>> = {
  'oid4ac.payment.succeeded': 'paid',
  'oid4ac.payment.failed': 'failed',
  'oid4ac.payment.disputed': 'disputed',
  'oid4ac.payment.refunded': 'refunded',
}

/** The events whose charge is a payment, with a page of its own. */
const paymentEvents: readonly string[] = ['oid4ac.payment.succeeded', 'oid4ac.payment.disputed']

interface WholeProps {
  readonly entry: ActivityEntry
  readonly text: TextOf<typeof activityTexts>['entry']
}

function Whole({ entry, text }: WholeProps) {
  const { payment } = entry
  const isPaid = payment?.payment_intent_id != null && paymentEvents.includes(entry.event)
  return (
    <div className="grid gap-4 border-t border-line bg-sunken px-5 py-4">
      {isPaid ? (
        <TextLink href={`/payments/${encodeURIComponent(payment.payment_intent_id ?? '')}`}>{text.payment}</TextLink>
      ) : null}
      <dl className="grid gap-2 text-sm">
        {[
          { name: text.hash, value: entry.entry_hash },
          { name: text.previous, value: entry.prev_hash },
        ].map(({ name, value }) => (
          <div key={name} className="grid gap-0.5">
            <dt className="text-muted">{name}</dt>
            <dd>
              <code className="break-all font-mono">{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <div className="grid justify-items-start gap-2">
        <pre className="w-full whitespace-pre-wrap break-all rounded-control border border-line bg-surface p-3 font-mono text-sm">
          {entry.json}
        </pre>
        <CopyButton value={entry.json} what={text.whole} />
      </div>
    </div>
  )
}
