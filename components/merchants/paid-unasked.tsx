'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { MerchantsView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { useAgentName } from './agent-name'
import { MerchantRow } from './merchant-row'
import { merchantsTexts } from './messages'

type PaidUnaskedProps = Pick<MerchantsView, 'remembered' | 'approval_rule' | 'agents'>

/** Shows where agents pay without an approval: by the approval rule, and by each remembered approval. */
export function PaidUnasked({ remembered, approval_rule: rule, agents }: PaidUnaskedProps) {
  const { unasked: text } = useText(merchantsTexts)
  return (
    <>
      <p className="-mt-2 max-w-prose text-muted">
        {rule === 'new_merchants' && remembered.length === 0 ? text.none : text[rule]}
      </p>
      {rule === 'new_merchants' ? <RememberedList remembered={remembered} agents={agents} /> : null}
    </>
  )
}

function RememberedList({ remembered, agents }: Pick<MerchantsView, 'remembered' | 'agents'>) {
  const { unasked: text, gate, since } = useText(merchantsTexts)
  const format = useFormat()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const agentName = useAgentName(agents)
  const forget = useMutation(
    trpc.agents.forgetMerchant.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  if (remembered.length === 0 && !forget.isError) return null
  return (
    <>
      {forget.isError ? <RequestFailure error={forget.error} /> : null}
      <RowList aria-label={text.title}>
        {remembered.map((row) => {
          const { merchant_audience: audience, merchant_name: known, agent_client_id: agent } = row
          const who = agentName(agent)
          return (
            <MerchantRow
              key={`${audience} ${agent}`}
              audience={audience}
              name={known}
              detail={
                <>
                  <bdi className="wrap-anywhere">{who}</bdi> · {gate.upTo(format.money(row.up_to_minor, row.currency))}{' '}
                  · {since} <Moment at={row.created_at} style="date" />
                  {row.suspended_by === null ? null : ` · ${text.suspended[row.suspended_by]}`}
                </>
              }
              action={text.forget}
              actionName={text.forgetName(merchantName(known, audience), who)}
              busy={
                forget.isPending &&
                forget.variables.merchant_audience === audience &&
                forget.variables.client_id === agent
              }
              onAction={() => forget.mutate({ client_id: agent, merchant_audience: audience })}
            />
          )
        })}
      </RowList>
    </>
  )
}
