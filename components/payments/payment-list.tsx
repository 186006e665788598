import Link from 'next/link'
import type { PaymentView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { Money } from '@/components/ui/money'
import { Initials } from './initials'
import { PaymentStatus } from './payment-status'

interface PaymentListProps {
  readonly payments: readonly PaymentView[]
  readonly label: string
  /** Whether to say which agent paid; left out where all are of one. */
  readonly withAgent?: boolean
}

export function PaymentList({ payments, label, withAgent = true }: PaymentListProps) {
  return (
    <RowList aria-label={label}>
      {payments.map((payment) => (
        <li key={payment.payment_intent_id}>
          <Link
            href={`/payments/${encodeURIComponent(payment.payment_intent_id)}`}
            className="flex items-start gap-3 px-5 py-4 hover:bg-sunken"
          >
            <Initials name={merchantName(payment.merchant_name, payment.merchant_audience)} />
            <span className="grid min-w-0 flex-1 gap-0.5">
              <bdi className="wrap-anywhere font-medium">
                {merchantName(payment.merchant_name, payment.merchant_audience)}
              </bdi>
              <span className="grid gap-x-1 wrap-anywhere text-sm text-muted sm:flex">
                <Moment at={payment.processed_at_iso} />
                {withAgent ? (
                  <>
                    <span aria-hidden className="max-sm:hidden">
                      ·
                    </span>
                    <ForeignText text={payment.agent_label} />
                  </>
                ) : null}
              </span>
            </span>
            <span className="grid shrink-0 justify-items-end gap-1 text-end">
              <Money minor={payment.amount_minor} currency={payment.currency} className="font-semibold" />
              <PaymentStatus status={payment.status} />
            </span>
          </Link>
        </li>
      ))}
    </RowList>
  )
}
