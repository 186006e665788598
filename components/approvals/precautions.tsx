'use client'

import { RevokeAgent } from '@/components/agents/revoke-agent'
import { useText } from '@/components/i18n/locale-provider'
import type { ConsentView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { plainName } from '@/components/lib/plain-text'
import { BlockMerchant } from '@/components/merchants/block-merchant'
import { consentTexts } from './messages'
import { MuteAgent } from './mute-agent'

type UnexpectedRequest = Pick<ConsentView, 'agent' | 'agent_muted_until' | 'merchant_audience' | 'merchant_name'>

/** What somebody may do about a request that they did not expect, from the mildest to the strongest. */
export function Precautions({ consent }: { readonly consent: UnexpectedRequest }) {
  const consentText = useText(consentTexts)
  const { agent, merchant_audience: audience } = consent
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-muted">{consentText.revokeOffer(plainName(agent.label))}</p>
      <MuteAgent clientId={agent.client_id} label={agent.label} mutedUntil={consent.agent_muted_until} />
      {audience === undefined ? null : (
        <BlockMerchant audience={audience} name={merchantName(consent.merchant_name, audience)} />
      )}
      <RevokeAgent clientId={agent.client_id} label={agent.label} />
    </div>
  )
}
