'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { MerchantsView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import { useAgentName } from './agent-name'
import { MerchantRow } from './merchant-row'
import { merchantsTexts } from './messages'
import { RelaxedRuleDialog } from './relaxed-rule'
import { useSaveRule } from './use-save-rule'

/**
 * Lists the merchants that the person's list leaves out although they were approved before, each with a button that
 * adds it once that is confirmed.
 */
export function Unlisted({ unlisted, agents }: Pick<MerchantsView, 'unlisted' | 'agents'>) {
  const agentName = useAgentName(agents)
  const text = useText(merchantsTexts).gate
  const format = useFormat()
  const saving = useSaveRule()
  if (unlisted.length === 0 && saving.error === null) return null
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{text.stopped}</h3>
      <p className="max-w-prose text-muted">{text.stoppedHint}</p>
      {saving.error === null ? null : <RequestFailure error={saving.error} />}
      <RowList aria-label={text.stopped}>
        {unlisted.map((merchant) => {
          const { merchant_audience: audience, merchant_name: known, agent_client_id: agent } = merchant
          const name = merchantName(known, audience)
          const who = agentName(agent)
          return (
            <MerchantRow
              key={`${audience} ${agent}`}
              audience={audience}
              name={known ?? null}
              detail={
                <>
                  <bdi className="wrap-anywhere">{who}</bdi> ·{' '}
                  {text.upTo(format.money(merchant.up_to_minor, merchant.currency))}
                </>
              }
              action={text.allow}
              actionName={text.allowName(name, who)}
              busy={saving.isSaving(audience, agent)}
              onAction={() => saving.submit({ merchant_audience: audience, agent_client_id: agent, verdict: 'allow' })}
            />
          )
        })}
      </RowList>
      <RelaxedRuleDialog question={saving.question} agents={agents} />
    </div>
  )
}
