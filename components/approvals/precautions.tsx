'use client'

import { agentsTexts } from '@/components/agents/messages'
import { PauseAgent } from '@/components/agents/pause-agent'
import { RevokeAgent } from '@/components/agents/revoke-agent'
import type { Locale } from '@/components/i18n/locale'
import { useText } from '@/components/i18n/locale-provider'
import { textIn } from '@/components/i18n/texts'
import type { ConsentView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { BlockMerchant } from '@/components/merchants/block-merchant'
import { merchantsTexts } from '@/components/merchants/messages'
import { decisionTexts } from './decision-messages'

interface UnexpectedRequest extends Pick<ConsentView, 'agent' | 'agent_paused' | 'merchant_audience'> {
  readonly merchant_name?: ConsentView['merchant_name'] | null
  /** Whether the agent is revoked, so that pausing it would change nothing. */
  readonly agent_revoked?: boolean
  /** Whether it is about a payment that was made. */
  readonly paid?: boolean
}

/**
 * Shows what a person may do about an approval or a payment that they did not expect, from the mildest measure to the
 * strongest.
 */
export function Precautions({ consent }: { readonly consent: UnexpectedRequest }) {
  const { precautions: text } = useText(decisionTexts)
  const { agent, merchant_audience: audience, agent_revoked: isRevoked = false, paid = false } = consent
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {isRevoked ? null : (
        <PauseAgent clientId={agent.client_id} label={agent.label} paused={consent.agent_paused} button={text.pause} />
      )}
      {audience === undefined ? null : (
        <BlockMerchant audience={audience} name={merchantName(consent.merchant_name, audience)} besidePayment={paid} />
      )}
      <RevokeAgent clientId={agent.client_id} label={agent.label} button={text.revoke} revoked={isRevoked} />
    </div>
  )
}

/** Loads the texts beforehand, so that they can be shown when the server is out of reach. */
export async function loadPrecautionWords(locale: Locale): Promise<void> {
  await Promise.all([textIn(agentsTexts, locale), textIn(merchantsTexts, locale)])
}
