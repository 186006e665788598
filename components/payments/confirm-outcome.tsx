'use client'

import { CircleCheck, CircleX, Hourglass } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { useFormat } from '@/components/i18n/use-format'
import type { CardholderChallenge } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'

import { ButtonLink } from '@/components/ui/button'
import { type OutcomeNews, OutcomePanel } from '@/components/ui/outcome-panel'
import { confirmTexts } from './confirm-messages'

interface ConfirmOutcomeProps {
  readonly stepUp: CardholderChallenge
  /** Whether it was answered on this page just now; the focus then moves here from the button, which is gone. */
  readonly focus: boolean
}

/** Shows the outcome of the payment, and updates by itself. */
export function ConfirmOutcome({ stepUp, focus }: ConfirmOutcomeProps) {
  const text = useText(confirmTexts)
  return <OutcomePanel {...tell(stepUp, text)} focus={focus} />
}

function tell(stepUp: CardholderChallenge, text: TextOf<typeof confirmTexts>): OutcomeNews {
  const { confirmed, failed, checking } = text
  if (stepUp.status === 'succeeded') {
    return { icon: CircleCheck, tone: 'success', title: confirmed.title, children: <Paid stepUp={stepUp} /> }
  }
  if (stepUp.status === 'failed') {
    return { icon: CircleX, tone: 'muted', title: failed.title, children: <p>{failed.body}</p> }
  }
  return { icon: Hourglass, tone: 'muted', title: checking.title, children: <p>{checking.body}</p> }
}

function Paid({ stepUp }: Pick<ConfirmOutcomeProps, 'stepUp'>) {
  const format = useFormat()
  const confirmText = useText(confirmTexts)
  const { body, payment } = confirmText.confirmed
  const payee = merchantName(stepUp.merchant_name, stepUp.merchant_audience)
  return (
    <>
      <p>{body(payee, format.money(stepUp.amount_minor, stepUp.currency))}</p>
      <ButtonLink
        href={`/payments/${encodeURIComponent(stepUp.payment_intent_id)}`}
        variant="secondary"
        className="w-fit"
      >
        {payment}
      </ButtonLink>
    </>
  )
}
