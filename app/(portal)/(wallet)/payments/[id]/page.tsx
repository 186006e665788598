import type { Metadata } from 'next'
import { readFormat, readText } from '@/components/i18n/read-text'
import { merchantName } from '@/components/lib/merchant-name'

import { paymentTexts } from '@/components/payments/payment-messages'
import { PaymentPage } from '@/components/payments/payment-view'
import { readPayment } from './read-payment'

interface PaymentProps {
  readonly params: Promise<{ readonly id: string }>
}

export async function generateMetadata({ params }: PaymentProps): Promise<Metadata> {
  const { payment, merchant } = await readPayment((await params).id)
  const [text, format] = await Promise.all([readText(paymentTexts), readFormat()])
  const amount = format.money(payment.amount_minor, payment.currency)
  return { title: text.title(amount, merchantName(merchant.name, merchant.audience)) }
}

export default async function Payment({ params }: PaymentProps) {
  const detail = await readPayment((await params).id)
  return <PaymentPage id={detail.payment.payment_intent_id} initial={detail} />
}
