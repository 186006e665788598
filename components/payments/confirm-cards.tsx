'use client'

import { WaitingCard } from '@/components/approvals/waiting-card'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { StepUp } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'

import { confirmTexts } from './confirm-messages'

/** Payments whose bank wants the cardholder, each with the way to the page where they answer. */
export function ConfirmCards({ stepUps }: { readonly stepUps: readonly StepUp[] }) {
  const confirmText = useText(confirmTexts)
  if (stepUps.length === 0) return null
  return (
    <ul aria-label={confirmText.list} className="grid gap-4">
      {stepUps.map((stepUp) => (
        <ConfirmCard key={stepUp.settlement_id} stepUp={stepUp} />
      ))}
    </ul>
  )
}

function ConfirmCard({ stepUp }: { readonly stepUp: StepUp }) {
  const format = useFormat()
  const confirmText = useText(confirmTexts)
  const amount = format.money(stepUp.amount_minor, stepUp.currency)
  const payee = merchantName(stepUp.merchant_name, stepUp.merchant_audience)
  return (
    <WaitingCard
      lead={confirmText.lead}
      title={amount}
      payee={payee}
      agent={stepUp.agent_name}
      until={stepUp.expires_at}
      href={`/payments/confirm/${encodeURIComponent(stepUp.settlement_id)}`}
      action={confirmText.answer}
      actionName={confirmText.answerName(amount, payee)}
    />
  )
}
