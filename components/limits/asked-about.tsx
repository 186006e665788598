'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { AskedCount } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { Moment } from '@/components/ui/moment'
import { TextLink } from '@/components/ui/text-link'
import { limitsTexts } from './messages'

interface AskedAboutProps {
  readonly payments: AskedCount['asked_about']
  readonly label: string
}

/** Lists the payments that the limits would have mattered to, each with a link to its page. */
export function AskedAbout({ payments, label }: AskedAboutProps) {
  return (
    <ul aria-label={label} className="grid gap-2 text-sm">
      {payments.map((payment) => (
        <li key={payment.payment_intent_id ?? payment.at} className="wrap-anywhere">
          <AskedPayment payment={payment} /> · <Moment at={payment.at} style="long" />
        </li>
      ))}
    </ul>
  )
}

function AskedPayment({ payment }: { readonly payment: AskedCount['asked_about'][number] }) {
  const { asked: text } = useText(limitsTexts)
  const format = useFormat()
  const { payment_intent_id: id, merchant_audience: audience } = payment
  const amount = format.money(payment.amount_minor, payment.currency)
  if (id === null || audience === null) return <>{text.underWay(amount)}</>
  return (
    <TextLink href={`/payments/${encodeURIComponent(id)}`}>
      {text.payment(amount, merchantName(payment.merchant_name, audience))}
    </TextLink>
  )
}
