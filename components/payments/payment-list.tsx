import Link from 'next/link'
import { AgentName } from '@/components/agents/agent-name'
import type { PaymentView } from '@/components/lib/api-types'
import { cn } from '@/components/lib/cn'
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
  /** Whether to show which agent paid; left out where all payments are of one agent. */
  readonly withAgent?: boolean
  /** `compact` where the list is one part of a page: two lines per row, and only unusual statuses. */
  readonly look?: 'full' | 'compact'
}

export function PaymentList({ payments, label, withAgent = true, look = 'full' }: PaymentListProps) {
  const Row = look === 'full' ? FullRow : CompactRow
  return (
    <RowList aria-label={label}>
      {payments.map((payment) => (
        <li key={payment.payment_intent_id}>
          <Row payment={payment} withAgent={withAgent} />
        </li>
      ))}
    </RowList>
  )
}

interface RowProps {
  readonly payment: PaymentView
  readonly withAgent: boolean
}

const linkTo = ({ payment_intent_id: id }: PaymentView) => `/payments/${encodeURIComponent(id)}`

function FullRow({ payment, withAgent }: RowProps) {
  const name = merchantName(payment.merchant_name, payment.merchant_audience)
  return (
    <Link href={linkTo(payment)} className="flex items-start gap-3 px-5 py-4 hover:bg-sunken">
      <Initials name={name} />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <bdi className="wrap-anywhere font-medium">{name}</bdi>
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
  )
}

function CompactRow({ payment, withAgent }: RowProps) {
  const { processed_at_iso: at, agent_label: agent, amount_minor: minor, currency, status } = payment
  return (
    <Link
      href={linkTo(payment)}
      className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] content-center items-baseline gap-x-4 px-4 py-1.5 tight:grid-cols-1 -outline-offset-2 hover:bg-sunken sm:px-5"
    >
      <bdi className="one-line font-medium">{merchantName(payment.merchant_name, payment.merchant_audience)}</bdi>
      <Money minor={minor} currency={currency} className="text-end font-semibold" />
      <span
        className={cn(
          'flex min-w-0 gap-x-1 tight:flex-wrap text-sm text-muted',
          status === 'succeeded' && 'col-span-full',
        )}
      >
        <span className="whitespace-nowrap">
          <Moment at={at} />
          {withAgent ? ' ·' : null}
        </span>
        {withAgent ? <AgentName label={agent} /> : null}
      </span>
      {status === 'succeeded' ? null : <PaymentStatus status={status} />}
    </Link>
  )
}
