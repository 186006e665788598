import type { Metadata } from 'next'
import { readFormat, readText } from '@/components/i18n/read-text'
import { merchantName } from '@/components/lib/merchant-name'

import { confirmTexts } from '@/components/payments/confirm-messages'
import { ConfirmView } from '@/components/payments/confirm-view'
import { portal } from '@/server/transport/trpc/rsc'
import { readStepUp } from './read-step-up'

interface ConfirmProps {
  readonly params: Promise<{ readonly id: string }>
}

export async function generateMetadata({ params }: ConfirmProps): Promise<Metadata> {
  const stepUp = await readStepUp((await params).id)
  const [confirmText, format] = await Promise.all([readText(confirmTexts), readFormat()])
  const amount = format.money(stepUp.amount_minor, stepUp.currency)
  return { title: confirmText.title(amount, merchantName(stepUp.merchant_name, stepUp.merchant_audience)) }
}

export default async function Confirm({ params }: ConfirmProps) {
  const [stepUp, api] = await Promise.all([readStepUp((await params).id), portal()])
  const { way } = await api.cards.enrolment()
  return <ConfirmView id={stepUp.settlement_id} initial={stepUp} testBank={way === 'test_cards'} />
}
