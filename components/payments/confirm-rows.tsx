'use client'

import { WaitingRow } from '@/components/approvals/waiting-row'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { StepUp } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { confirmTexts } from './confirm-messages'

/** Payments whose bank wants the cardholder, each with the way to the page where they answer. */
export function ConfirmRows({ stepUps }: { readonly stepUps: readonly StepUp[] }) {
  const confirmText = useText(confirmTexts)
  if (stepUps.length === 0) return null
  return (
    <RowList aria-label={confirmText.list}>
      {stepUps.map((stepUp) => (
        <ConfirmRow key={stepUp.settlement_id} stepUp={stepUp} />
      ))}
    </RowList>
  )
}

function ConfirmRow({ stepUp }: { readonly stepUp: StepUp }) {
  const format = useFormat()
  const confirmText = useText(confirmTexts)
  return (
    <WaitingRow
      title={format.money(stepUp.amount_minor, stepUp.currency)}
      payee={merchantName(stepUp.merchant_name, stepUp.merchant_audience)}
      agent={stepUp.agent_name}
      until={stepUp.expires_at}
      note={confirmText.lead}
      href={`/payments/confirm/${encodeURIComponent(stepUp.settlement_id)}`}
    />
  )
}
