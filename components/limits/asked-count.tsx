'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useTRPC } from '@/components/api/client'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { AskedCount as AskedCountView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { Disclosure } from '@/components/ui/disclosure'
import { Moment } from '@/components/ui/moment'
import { TextLink } from '@/components/ui/text-link'
import { type LimitsDraft, readDraft } from './limits-draft'
import { limitsTexts } from './messages'

/** What the limits as typed would have meant for the payments of the last 30 days; nothing while they cannot be read. */
export function AskedCount({ draft }: { readonly draft: LimitsDraft }) {
  const { form, asked: text } = useText(limitsTexts)
  const locale = useLocale()
  const trpc = useTRPC()
  const { errors, limits } = readDraft(useDeferredValue(draft), { text: form, locale })
  const isReadable = Object.keys(errors).length === 0
  const { data } = useQuery({
    ...trpc.limits.askedCount.queryOptions(limits),
    enabled: isReadable,
    placeholderData: keepPreviousData,
  })
  const known = isReadable ? data : undefined
  return (
    <div className="grid gap-1">
      <p role="status" className="min-h-6 text-sm text-muted">
        {known !== undefined && known.payments > 0 ? text.sentence(known.asked, known.payments) : null}
        {known !== undefined && known.refused > 0 ? ` ${text.refused(known.refused)}` : null}
      </p>
      {known === undefined || known.asked === 0 ? null : <AskedAbout payments={known.asked_about} />}
    </div>
  )
}

function AskedAbout({ payments }: { readonly payments: AskedCountView['asked_about'] }) {
  const { asked: text } = useText(limitsTexts)
  return (
    <Disclosure look="inline" summary={text.show}>
      <ul aria-label={text.list} className="grid gap-2 pb-2 text-sm">
        {payments.map((payment) => (
          <li key={payment.payment_intent_id ?? payment.at} className="wrap-anywhere">
            <AskedPayment payment={payment} /> · <Moment at={payment.at} style="long" />
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

function AskedPayment({ payment }: { readonly payment: AskedCountView['asked_about'][number] }) {
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
