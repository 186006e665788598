'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { PaymentDetailView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { Disclosure } from '@/components/ui/disclosure'
import { Notice } from '@/components/ui/notice'
import { TextLink } from '@/components/ui/text-link'
import { paymentTexts } from './payment-messages'

/** Shows the state of a dispute, above everything else about the payment. */
export function DisputeStanding({ status }: Pick<PaymentDetailView['payment'], 'status'>) {
  const text = useText(paymentTexts).help
  const stands = {
    succeeded: null,
    disputed_pending: text.open,
    disputed_won: text.won,
    disputed_lost: text.lost,
  }[status]
  if (stands === null) return null
  return <Notice tone={status === 'disputed_pending' ? 'warning' : 'info'}>{stands}</Notice>
}

/** Shows what a person can do who is not satisfied with a payment, and who decides about it. */
export function DisputeHelp({ data }: { readonly data: PaymentDetailView }) {
  const text = useText(paymentTexts).help
  const { agent, merchant } = data
  return (
    <Disclosure summary={text.title}>
      <div className="grid max-w-prose gap-3">
        <p>{text.intro}</p>
        <ol className="grid list-decimal gap-2 ps-5">
          <li>{text.merchant(merchantName(merchant.name, merchant.audience))}</li>
          <li>
            {text.agent} <TextLink href={`/agents/${encodeURIComponent(agent.client_id)}`}>{text.seeAgent}</TextLink>
          </li>
          <li>{text.bank}</li>
        </ol>
        <p className="text-muted">{text.proof}</p>
      </div>
    </Disclosure>
  )
}
