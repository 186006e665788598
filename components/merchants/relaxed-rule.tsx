'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useAgentName } from './agent-name'
import { MerchantAddress } from './merchant-row'
import { merchantsTexts } from './messages'
import type { useSaveRule } from './use-save-rule'

interface RelaxedRuleProps extends Pick<MerchantsView, 'agents'> {
  readonly question: ReturnType<typeof useSaveRule>['question']
}

/** Asks for confirmation before a merchant is allowed or a block is lifted. */
export function RelaxedRuleDialog({ question: { relaxed, dialog }, agents }: RelaxedRuleProps) {
  const text = useText(merchantsTexts)
  const agentName = useAgentName(agents)
  if (relaxed === null) return null
  const said = { allow: text.allowed, deny: text.blocked, none: text.relaxed.none }
  return (
    <RelaxDialog
      dialog={dialog}
      title={text.relaxed.title}
      from={said[relaxed.from ?? 'none']}
      to={said[relaxed.to ?? 'none']}
    >
      <p>{text.relaxed.body}</p>
      <p className="grid gap-0.5 text-ink">
        <MerchantAddress audience={relaxed.merchant_audience} />
        <bdi className="wrap-anywhere">{agentName(relaxed.agent_client_id)}</bdi>
      </p>
    </RelaxDialog>
  )
}
