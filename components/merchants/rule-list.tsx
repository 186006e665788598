'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { useAgentName } from './agent-name'
import { MerchantRow, merchantHref } from './merchant-row'
import { merchantsTexts } from './messages'
import { RelaxedRuleDialog } from './relaxed-rule'
import { useSaveRule } from './use-save-rule'

interface RuleListProps extends Pick<MerchantsView, 'rules' | 'agents' | 'registered'> {
  readonly verdict: 'allow' | 'deny'
}

/** Lists the rules of one verdict, each with a button that deletes it; deleting a block is confirmed. */
export function RuleList({ verdict, rules, agents, registered }: RuleListProps) {
  const merchantsText = useText(merchantsTexts)
  const saving = useSaveRule()
  const agentName = useAgentName(agents)
  const label = verdict === 'allow' ? merchantsText.allowed : merchantsText.blocked
  const own = rules.filter((rule) => rule.verdict === verdict)
  if (own.length === 0 && saving.error === null) return null
  return (
    <div className="grid gap-3">
      {verdict === 'allow' ? <h3 className="font-semibold">{merchantsText.onList}</h3> : null}
      {saving.error === null ? null : <RequestFailure error={saving.error} />}
      <RowList aria-label={label}>
        {own.map(({ merchant_audience: audience, merchant_name: known, agent_client_id: agent, updated_at: since }) => {
          const name = merchantName(known, audience)
          const who = agentName(agent)
          const merchant = registered.find((one) => one.merchant_audience === audience)
          return (
            <MerchantRow
              key={`${audience} ${agent ?? ''}`}
              audience={audience}
              name={known ?? null}
              href={merchant === undefined ? undefined : merchantHref(merchant.id)}
              detail={
                <>
                  {merchant === undefined ? null : <Verified verified={merchant.verified} />}
                  <bdi className="wrap-anywhere">{who}</bdi> · {merchantsText.since} <Moment at={since} style="date" />
                </>
              }
              action={merchantsText.remove}
              actionName={merchantsText.removeName(label, name, who)}
              busy={saving.isSaving(audience, agent)}
              onAction={() => saving.submit({ merchant_audience: audience, agent_client_id: agent, verdict: null })}
            />
          )
        })}
      </RowList>
      <RelaxedRuleDialog question={saving.question} agents={agents} />
    </div>
  )
}

function Verified({ verified }: { readonly verified: boolean }) {
  const text = useText(merchantsTexts)
  return <>{verified ? text.verified : text.notVerified} · </>
}
