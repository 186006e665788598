'use client'

import { useQuery } from '@tanstack/react-query'
import { cardName } from '@/components/cards/card-name'
import { LineItems } from '@/components/consent/line-items'
import type { PaymentDetailView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { formatMoney } from '@/components/lib/money'
import { onWire } from '@/components/lib/on-wire'
import { readOrigin } from '@/components/lib/origin'
import { BlockMerchant } from '@/components/merchants/block-merchant'
import { Card, Section } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { Amount } from '@/components/ui/money'
import { BackLink } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { useTRPC } from '@/server/trpc/client'
import { paymentsText } from './messages'
import { PaymentStatus } from './payment-status'
import { Proof } from './proof'
import { Timeline } from './timeline'

const text = paymentsText.one

interface PaymentViewProps {
  readonly id: string
  readonly initial: PaymentDetailView
}

export function PaymentPage({ id, initial }: PaymentViewProps) {
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.payments.one.queryOptions({ id }), initialData: onWire(initial) })
  const { payment, rule } = data
  const payee = merchantName(data.merchant.name, data.merchant.audience)
  const amount = formatMoney(payment.amount_minor, payment.currency)
  return (
    <>
      <header className="grid gap-2">
        <BackLink href="/payments" label={text.back} />
        <h1 aria-label={text.title(amount, payee)} className="grid gap-1">
          <Amount minor={payment.amount_minor} currency={payment.currency} />
          <span className="text-xl font-medium tracking-tight">
            <span className="text-muted">to</span> <bdi>{payee}</bdi>
          </span>
        </h1>
        <PaymentStatus status={payment.status} />
      </header>
      <Section id="timeline" title={text.timeline}>
        <Card>
          <Timeline steps={data.timeline} decidedVia={rule.decided_via} />
        </Card>
      </Section>
      <Section id="items" title={text.items}>
        <Card>
          {data.line_items.length === 0 ? (
            <p className="text-muted">{text.noItems}</p>
          ) : (
            <LineItems items={data.line_items} currency={payment.currency} />
          )}
        </Card>
      </Section>
      <Section id="details" title={text.details}>
        <Card>
          <PaymentFacts data={data} />
        </Card>
      </Section>
      <Proof data={data} />
      <BlockMerchant audience={data.merchant.audience} name={payee} />
    </>
  )
}

function PaymentFacts({ data }: { readonly data: PaymentDetailView }) {
  const { payment, rule, agent, merchant } = data
  return (
    <Facts>
      <Fact name={text.why}>
        {text.rule[rule.kind]}{' '}
        {rule.authorization_id === null ? null : (
          <TextLink href={`/approve/${encodeURIComponent(rule.authorization_id)}`}>{text.seeApproval}</TextLink>
        )}
      </Fact>
      <Fact name={text.agent}>
        <TextLink href={`/agents/${encodeURIComponent(agent.client_id)}`}>
          <ForeignText text={agent.label} />
        </TextLink>
        {agent.revoked ? <span className="text-muted"> ({text.revoked})</span> : null}
      </Fact>
      <Fact name={text.merchant}>
        <code className="font-mono text-sm">{readOrigin(merchant.audience).text}</code>
        <span className="text-muted"> · {merchant.verified ? text.verified : text.unverified}</span>
      </Fact>
      <Fact name={text.card}>{cardName(data.card)}</Fact>
      <Fact name={text.date}>
        <Moment at={payment.processed_at_iso} style="long" />
      </Fact>
      <Fact name={text.id}>
        <code className="break-all font-mono text-sm">{payment.payment_intent_id}</code>
      </Fact>
    </Facts>
  )
}
