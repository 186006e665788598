import { Bot, Sparkles } from 'lucide-react'
import Link from 'next/link'
import type { ConsentView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { Part } from '@/components/ui/part'
import { OperatedBy } from './operated-by'
import type { Words } from './words'

const LABEL_MAX = 80
const PURPOSE_MAX = 300

interface AskedByProps {
  readonly consent: Pick<
    ConsentView,
    'agent' | 'agent_connected_at' | 'agent_is_new' | 'first_purchase_at_merchant' | 'kind' | 'operated_by'
  >
  readonly text: Words['text']
}

export function AskedBy({ consent, text }: AskedByProps) {
  const { agent } = consent
  const newMerchant = consent.kind === 'payment' && consent.first_purchase_at_merchant
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="flex items-center gap-2.5">
        <Bot aria-hidden className="size-5 shrink-0 text-muted" />
        <span className="min-w-0">
          {text.askedBy}{' '}
          <Link
            href={`/agents/${encodeURIComponent(agent.client_id)}`}
            className="font-semibold underline decoration-line underline-offset-4 hover:decoration-ink"
          >
            <ForeignText text={agent.label} max={LABEL_MAX} />
          </Link>{' '}
          <span className="text-muted">
            · {text.connected} <Moment at={consent.agent_connected_at} style="date" />
          </span>
        </span>
      </p>
      {consent.operated_by === null ? null : <OperatedBy operator={consent.operated_by} />}
      {consent.agent_is_new || newMerchant ? (
        <p className="flex flex-wrap gap-2">
          {newMerchant ? (
            <Badge icon={Sparkles} tone="accent" wraps>
              {text.newMerchant}
            </Badge>
          ) : null}
          {consent.agent_is_new ? (
            <Badge icon={Sparkles} tone="accent" wraps>
              {text.newAgent}
            </Badge>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}

interface AgentPurposeProps {
  readonly purpose: string | null
  readonly text: Words['text']
}

/** Shows the agent's stated purpose: text of another party, set apart from our own. */
export function AgentPurpose({ purpose, text }: AgentPurposeProps) {
  if (purpose === null || purpose === '') return null
  return (
    <Part title={text.purpose} note={<span className="max-sm:sr-only">{text.purposeFrom}</span>}>
      <blockquote className="own-space wrap-anywhere border-s-2 border-control ps-3 text-muted max-sm:text-sm">
        <q>
          <ForeignText text={purpose} max={PURPOSE_MAX} />
        </q>
      </blockquote>
    </Part>
  )
}
