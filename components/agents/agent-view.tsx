'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { LimitChanges } from '@/components/limits/limit-changes'
import { hasLimits, LimitMeters } from '@/components/limits/limit-meters'
import { AgentLimitsForm } from '@/components/limits/limits-form'
import { PaymentList } from '@/components/payments/payment-list'
import { Section } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { SectionLink } from '@/components/ui/text-link'
import { AgentActions } from './agent-actions'
import { AgentApprovals } from './agent-approvals'
import { AgentLine, TechnicalDetails } from './agent-facts'
import { AgentStatus } from './agent-status'
import { agentsTexts } from './messages'
import { PaysWith } from './pays-with'
import { RememberedAccess } from './remembered-access'
import { RememberedMerchants } from './remembered-merchants'
import { Spent } from './spent'
import { SpentByMerchant } from './spent-by-merchant'

/** The number of newest payments and remembered merchants shown; their own pages have them all. */
const SHOWN = 2

interface AgentPageProps {
  readonly clientId: string
  readonly initial: AgentView
}

export function AgentPage({ clientId, initial }: AgentPageProps) {
  const text = useText(agentsTexts).one
  const trpc = useTRPC()
  const { data: agent } = useQuery({
    ...trpc.agents.one.queryOptions({ client_id: clientId }),
    initialData: initial,
  })
  return (
    <>
      <PageHeader
        title={plainName(agent.label)}
        back={{ href: '/agents', label: text.back }}
        action={<AgentStatus agent={agent} />}
      />
      {agent.revoked ? <Notice tone="info">{text.revokedNotice}</Notice> : null}
      <AgentActions agent={agent} />
      <AgentLine agent={agent} />
      <SpentByAgent agent={agent} />
      {agent.revoked ? null : (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <OwnLimits agent={agent} />
            <PaysWith agent={agent} />
          </div>
          <Remembered agent={agent} />
        </>
      )}
      <Payments agent={agent} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <section aria-labelledby="approvals">
          <Disclosure summary={text.approvals} headingId="approvals">
            <AgentApprovals approvals={agent.recent_approvals} />
          </Disclosure>
        </section>
        <TechnicalDetails agent={agent} />
        <p>
          <SectionLink href={`/activity?agent=${encodeURIComponent(clientId)}`}>{text.activity}</SectionLink>
        </p>
      </div>
    </>
  )
}

/** Shows what the agent spent today, this week and this month against its own limits, and at which merchants. */
function SpentByAgent({ agent }: { readonly agent: AgentView }) {
  const text = useText(agentsTexts).one
  const { limits, spent_by_merchant: spent } = agent
  return (
    <Section id="spent" title={text.spent}>
      {limits !== null && hasLimits(limits) && !agent.revoked ? (
        <LimitMeters limits={limits} usage={agent.usage} />
      ) : (
        <p>
          <Spent amounts={agent.spent_this_month} limit={null} />
        </p>
      )}
      {spent.length === 0 ? null : (
        <Disclosure summary={text.byMerchant} look="inline">
          <SpentByMerchant spent={spent} />
        </Disclosure>
      )}
    </Section>
  )
}

/** Shows the agent's own limits, folded: their use is shown above, and changing them is rare. */
function OwnLimits({ agent }: { readonly agent: AgentView }) {
  const text = useText(agentsTexts).one
  const { limits } = agent
  return (
    <section aria-labelledby="own-limits">
      <Disclosure summary={text.limits} headingId="own-limits">
        <div className="grid gap-4">
          <p className="text-muted">{text.limitsHint}</p>
          <AgentLimitsForm clientId={agent.client_id} limits={limits} />
          {agent.limit_changes.length === 0 ? null : (
            <Disclosure summary={text.changes} look="inline">
              <LimitChanges changes={agent.limit_changes} />
            </Disclosure>
          )}
        </div>
      </Disclosure>
    </section>
  )
}

function Remembered({ agent }: { readonly agent: AgentView }) {
  const text = useText(agentsTexts).one
  const { approval_rule: rule, remembered_merchants: merchants } = agent
  const isListed = rule === 'new_merchants'
  return (
    <>
      <Section
        id="remembered"
        title={text.remembered}
        description={isListed && merchants.length > 0 ? text.rememberedHint : undefined}
        action={
          isListed && merchants.length > SHOWN ? (
            <SectionLink href="/merchants#unasked">{text.allRemembered(merchants.length)}</SectionLink>
          ) : null
        }
      >
        {isListed ? (
          <RememberedMerchants clientId={agent.client_id} merchants={merchants.slice(0, SHOWN)} />
        ) : (
          <p className="text-muted">{text[rule]}</p>
        )}
      </Section>
      {agent.remembered_access.length === 0 ? null : (
        <Section id="access" title={text.access} description={text.accessHint}>
          <RememberedAccess clientId={agent.client_id} access={agent.remembered_access} />
        </Section>
      )}
    </>
  )
}

function Payments({ agent }: { readonly agent: AgentView }) {
  const text = useText(agentsTexts).one
  const all = `/payments?agent=${encodeURIComponent(agent.client_id)}`
  const isEmpty = agent.recent_payments.length === 0
  return (
    <Section
      id="payments"
      title={text.payments}
      action={isEmpty ? null : <SectionLink href={all}>{text.allPayments}</SectionLink>}
    >
      {isEmpty ? (
        <p className="text-muted">{text.noPayments}</p>
      ) : (
        <PaymentList
          payments={agent.recent_payments.slice(0, SHOWN)}
          label={text.payments}
          withAgent={false}
          look="compact"
        />
      )}
    </Section>
  )
}
