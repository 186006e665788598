import type { Metadata } from 'next'
import { readFormat, readText } from '@/components/i18n/read-text'
import { merchantName } from '@/components/lib/merchant-name'

import { confirmTexts } from '@/components/payments/confirm-messages'
import { ConfirmView } from '@/components/payments/confirm-view'
import { portal } from '@/server/transport/trpc/rsc'
import { readChallenge } from './read-challenge'

interface ConfirmProps {
  readonly params: Promise<{ readonly id: string }>
}

export async function generateMetadata({ params }: ConfirmProps): Promise<Metadata> {
  const challenge = await readChallenge((await params).id)
  const [confirmText, format] = await Promise.all([readText(confirmTexts), readFormat()])
  const amount = format.money(challenge.amount_minor, challenge.currency)
  return { title: confirmText.title(amount, merchantName(challenge.merchant_name, challenge.merchant_audience)) }
}

export default async function Confirm({ params }: ConfirmProps) {
  const [challenge, api] = await Promise.all([readChallenge((await params).id), portal()])
  const { way } = await api.cards.enrolment()
  return <ConfirmView id={challenge.settlement_id} initial={challenge} testBank={way === 'test_cards'} />
}
