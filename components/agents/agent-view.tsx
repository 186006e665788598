'use client'

import { useQuery } from '@tanstack/react-query'
import { ScopeList } from '@/components/consent/scope-list'
import type { AgentView } from '@/components/lib/api-types'
import { onWire } from '@/components/lib/on-wire'
import { plainName, plainText } from '@/components/lib/plain-text'
import { AgentLimitsForm } from '@/components/limits/limits-form'
import { PaymentList } from '@/components/payments/payment-list'
import { Card, Section } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { Ago, Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { SectionLink } from '@/components/ui/text-link'
import { useTRPC } from '@/server/trpc/client'
import { AgentStatus } from './agent-status'
import { agentsText } from './messages'
import { RememberedAccess } from './remembered-access'
import { RememberedMerchants } from './remembered-merchants'
import { RevokeAgent } from './revoke-agent'
import { Spent } from './spent'

const text = agentsText.one
const PURPOSE_MAX = 500

interface AgentPageProps {
  readonly clientId: string
  readonly initial: AgentView
}

export function AgentPage({ clientId, initial }: AgentPageProps) {
  const trpc = useTRPC()
  const { data: agent } = useQuery({
    ...trpc.agents.one.queryOptions({ client_id: clientId }),
    initialData: onWire(initial),
  })
  return (
    <>
      <PageHeader
        title={plainName(agent.label)}
        back={{ href: '/agents', label: text.back }}
        action={<AgentStatus revoked={agent.revoked} />}
      />
      {agent.revoked ? <Notice tone="info">{text.revokedNotice}</Notice> : null}
      <Section id="facts" title={text.facts}>
        <Card>
          <AgentFacts agent={agent} />
        </Card>
      </Section>
      {agent.revoked ? null : (
        <Section id="limits" title={text.limits} description={text.limitsHint}>
          <AgentLimitsForm clientId={clientId} limits={agent.limits} />
        </Section>
      )}
      {agent.revoked ? null : (
        <Section id="remembered" title={text.remembered} description={text.rememberedHint}>
          <RememberedMerchants clientId={clientId} merchants={agent.remembered_merchants} />
        </Section>
      )}
      {agent.revoked || agent.remembered_access.length === 0 ? null : (
        <Section id="access" title={text.access} description={text.accessHint}>
          <RememberedAccess clientId={clientId} access={agent.remembered_access} />
        </Section>
      )}
      <Section
        id="payments"
        title={text.payments}
        action={
          agent.recent_payments.length === 0 ? null : (
            <SectionLink href={`/payments?agent=${encodeURIComponent(clientId)}`}>{text.allPayments}</SectionLink>
          )
        }
      >
        {agent.recent_payments.length === 0 ? (
          <p className="text-muted">{text.noPayments}</p>
        ) : (
          <PaymentList payments={agent.recent_payments} label={text.payments} />
        )}
      </Section>
      <RevokeAgent
        clientId={agent.client_id}
        label={agent.label}
        sessions={agent.active_families}
        revoked={agent.revoked}
      />
    </>
  )
}

function AgentFacts({ agent }: { readonly agent: AgentView }) {
  const scopes = agent.scopes.filter((scope) => scope !== 'openid')
  const purpose = plainText(agent.purpose ?? '', PURPOSE_MAX)
  return (
    <Facts>
      <Fact name={text.purpose}>{purpose === '' ? agentsText.noPurpose : <bdi>{purpose}</bdi>}</Fact>
      <Fact name={text.may}>
        <ScopeList scopes={scopes} />
      </Fact>
      <Fact name={text.connected}>
        <Moment at={agent.created_at} style="long" />
      </Fact>
      <Fact name={text.lastUsed}>
        {agent.last_used_at === null ? agentsText.never : <Ago at={agent.last_used_at} />}
      </Fact>
      <Fact name={text.spent}>
        <Spent amounts={agent.spent_this_month} />
      </Fact>
      {agent.key_thumbprint === null ? null : (
        <Fact name={text.key}>
          <code className="font-mono text-sm">{agent.key_thumbprint}</code>
        </Fact>
      )}
      <Fact name={text.id}>
        <code className="break-all font-mono text-sm">{agent.client_id}</code>
      </Fact>
    </Facts>
  )
}
