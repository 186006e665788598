'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { AgentView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { readOrigin } from '@/components/lib/origin'
import { RowList } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentsTexts } from './messages'
import { RememberedRow } from './remembered-row'

interface RememberedMerchantsProps {
  readonly clientId: string
  readonly merchants: AgentView['remembered_merchants']
}

export function RememberedMerchants({ clientId, merchants }: RememberedMerchantsProps) {
  const text = useText(agentsTexts).one
  const format = useFormat()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const forget = useMutation(
    trpc.agents.forgetMerchant.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  if (merchants.length === 0) return <p className="text-muted">{text.noneRemembered}</p>
  return (
    <div className="grid gap-3">
      {forget.isError ? <RequestFailure error={forget.error} /> : null}
      <RowList aria-label={text.remembered}>
        {merchants.map((merchant) => {
          const { merchant_audience: audience, created_at: since } = merchant
          const name = merchantName(merchant.merchant_name, audience)
          return (
            <RememberedRow
              key={audience}
              title={name}
              detail={
                <>
                  <span className="block break-all">{readOrigin(audience).text}</span>
                  {text.upTo(format.money(merchant.up_to_minor, merchant.currency))}
                  <span className="max-sm:hidden">
                    {' '}
                    · <Moment at={since} style="date" />
                  </span>
                </>
              }
              action={text.forget}
              actionName={text.forgetName(name)}
              busy={forget.isPending && forget.variables.merchant_audience === audience}
              onAction={() => forget.mutate({ client_id: clientId, merchant_audience: audience })}
            />
          )
        })}
      </RowList>
    </div>
  )
}
