'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { HomeAlert, HomeView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { Notice } from '@/components/ui/notice'
import { TextLink } from '@/components/ui/text-link'
import { cardName } from '@/server/base/core/card-name'
import { homeTexts } from './messages'

/** Lists what needs the person's attention, each with a link to the page for it. */
export function Alerts({ alerts }: Pick<HomeView, 'alerts'>) {
  const text = useText(homeTexts).alerts
  if (alerts.length === 0) return null
  const disputes = alerts.filter(({ kind }) => kind === 'dispute')
  const isOneForAll = disputes.length > 1
  return (
    <section aria-label={text.title} className="grid gap-3">
      {isOneForAll ? (
        <Notice
          tone="warning"
          title={text.dispute.several}
          action={<TextLink href="/payments?status=disputed_pending">{text.dispute.all}</TextLink>}
        />
      ) : null}
      {(isOneForAll ? alerts.filter(({ kind }) => kind !== 'dispute') : alerts).map((alert) => (
        <Alert key={JSON.stringify(alert)} alert={alert} />
      ))}
    </section>
  )
}

function Alert({ alert }: { readonly alert: HomeAlert }) {
  const text = useText(homeTexts).alerts
  const format = useFormat()
  switch (alert.kind) {
    case 'dispute': {
      const amount = format.money(alert.amount_minor, alert.currency)
      return (
        <Notice
          tone="warning"
          title={text.dispute.title(amount, merchantName(alert.merchant_name, alert.merchant_audience))}
          action={
            <TextLink href={`/payments/${encodeURIComponent(alert.payment_intent_id)}`}>{text.dispute.action}</TextLink>
          }
        />
      )
    }
    case 'card_expired':
      return (
        <Notice
          tone="danger"
          title={text.cardExpired.title(cardName(alert.card))}
          action={<TextLink href="/cards">{text.cards}</TextLink>}
        >
          {text.cardExpired.body}
        </Notice>
      )
    case 'card_expiring':
      return (
        <Notice
          tone="warning"
          title={text.cardExpiring.title(cardName(alert.card), monthOf(alert))}
          action={<TextLink href="/cards">{text.cards}</TextLink>}
        >
          {text.cardExpiring.body}
        </Notice>
      )
  }
}

/** Returns the month as it is printed on cards, for instance "01/2027". */
function monthOf({ exp_month, exp_year }: { readonly exp_month: number; readonly exp_year: number }): string {
  return `${String(exp_month).padStart(2, '0')}/${exp_year}`
}
