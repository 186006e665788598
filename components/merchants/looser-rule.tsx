'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { LoosenDialog } from '@/components/security/loosen-dialog'
import { useAgentName } from './agent-name'
import { MerchantAddress } from './merchant-row'
import { merchantsTexts } from './messages'
import type { useSaveRule } from './use-save-rule'

interface LooserRuleProps extends Pick<MerchantsView, 'agents'> {
  readonly question: ReturnType<typeof useSaveRule>['question']
}

/** Asks before agents may ask again where they could not. */
export function LooserRuleDialog({ question: { looser, dialog }, agents }: LooserRuleProps) {
  const text = useText(merchantsTexts)
  const agentName = useAgentName(agents)
  if (looser === null) return null
  const said = { allow: text.allowed, deny: text.blocked, none: text.looser.none }
  return (
    <LoosenDialog
      dialog={dialog}
      title={text.looser.title}
      from={said[looser.from ?? 'none']}
      to={said[looser.to ?? 'none']}
    >
      <p>{text.looser.body}</p>
      <p className="grid gap-0.5 text-ink">
        <MerchantAddress audience={looser.merchant_audience} />
        <bdi className="wrap-anywhere">{agentName(looser.agent_client_id)}</bdi>
      </p>
    </LoosenDialog>
  )
}
