'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, CircleCheck } from 'lucide-react'
import { RememberedRow } from '@/components/agents/remembered-row'
import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { Badge } from '@/components/ui/badge'
import { RowList } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { useTRPC } from '@/server/trpc/client'
import { useAgentName } from './agent-name'
import { merchantsTexts } from './messages'

const looks = {
  allow: { label: 'allowed', tone: 'success', icon: CircleCheck },
  deny: { label: 'blocked', tone: 'danger', icon: Ban },
} as const

interface RuleListProps extends Pick<MerchantsView, 'rules' | 'agents'> {
  readonly verdict: 'allow' | 'deny'
}

/** The rules of one verdict, each with the button that forgets it. */
export function RuleList({ verdict, rules, agents }: RuleListProps) {
  const merchantsText = useText(merchantsTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const remove = useMutation(trpc.merchants.saveRule.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const agentName = useAgentName(agents)
  const { tone, icon } = looks[verdict]
  const label = merchantsText[looks[verdict].label]
  const own = rules.filter((rule) => rule.verdict === verdict)
  if (own.length === 0 && !remove.isError) return null
  return (
    <div className="grid gap-3">
      <Badge tone={tone} icon={icon}>
        {label}
      </Badge>
      {remove.isError ? <RequestFailure error={remove.error} /> : null}
      <RowList aria-label={label}>
        {own.map(({ merchant_audience: audience, merchant_name: known, agent_client_id: agent, updated_at: since }) => {
          const name = merchantName(known, audience)
          const who = agentName(agent)
          return (
            <RememberedRow
              key={`${audience} ${agent ?? ''}`}
              title={name}
              detail={
                <>
                  <code className="font-mono">{audience}</code> · <bdi>{who}</bdi> · {merchantsText.since}{' '}
                  <Moment at={since} style="date" />
                </>
              }
              action={merchantsText.remove}
              actionName={merchantsText.removeName(label, name, who)}
              busy={
                remove.isPending &&
                remove.variables.merchant_audience === audience &&
                remove.variables.agent_client_id === agent
              }
              onAction={() => remove.mutate({ merchant_audience: audience, agent_client_id: agent, verdict: null })}
            />
          )
        })}
      </RowList>
    </div>
  )
}
