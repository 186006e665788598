'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RememberedRow } from '@/components/agents/remembered-row'
import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import { useTRPC } from '@/server/trpc/client'
import { useAgentName } from './agent-name'
import { merchantsTexts } from './messages'

/** What the list leaves out although it was approved before, each with the button that puts it on the list. */
export function Unlisted({ unlisted, agents }: Pick<MerchantsView, 'unlisted' | 'agents'>) {
  const agentName = useAgentName(agents)
  const text = useText(merchantsTexts).gate
  const trpc = useTRPC()
  const queries = useQueryClient()
  const allow = useMutation(trpc.merchants.saveRule.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  if (unlisted.length === 0 && !allow.isError) return null
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{text.stopped}</h3>
      <p className="max-w-prose text-muted">{text.stoppedHint}</p>
      {allow.isError ? <RequestFailure error={allow.error} /> : null}
      <RowList aria-label={text.stopped}>
        {unlisted.map(({ merchant_audience: audience, merchant_name: known, agent_client_id: agent }) => {
          const name = merchantName(known, audience)
          const who = agentName(agent)
          return (
            <RememberedRow
              key={`${audience} ${agent}`}
              title={name}
              detail={
                <>
                  <code className="font-mono">{audience}</code> · <bdi>{who}</bdi>
                </>
              }
              action={text.allow}
              actionName={text.allowName(name, who)}
              busy={
                allow.isPending &&
                allow.variables.merchant_audience === audience &&
                allow.variables.agent_client_id === agent
              }
              onAction={() => allow.mutate({ merchant_audience: audience, agent_client_id: agent, verdict: 'allow' })}
            />
          )
        })}
      </RowList>
    </div>
  )
}
