'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { LineItems } from '@/components/approvals/line-items'
import { consentTexts } from '@/components/approvals/messages'
import { Unexpected } from '@/components/approvals/unexpected'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { useFormat } from '@/components/i18n/use-format'
import type { PaymentDetailView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { readOrigin } from '@/components/lib/origin'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { Amount, Money } from '@/components/ui/money'
import { BackLink } from '@/components/ui/page-header'
import { LineLink } from '@/components/ui/text-link'
import { cardName } from '@/server/base/core/card-name'
import { DisputeHelp, DisputeStanding } from './dispute-help'
import { Evidence } from './evidence'
import { noFilter, queryOf } from './filter'
import { Initials } from './initials'
import { paymentTexts } from './payment-messages'
import { PaymentStatus } from './payment-status'
import { PrintedReceipt } from './printed-receipt'
import { Proof } from './proof'
import { Timeline } from './timeline'

interface PaymentViewProps {
  readonly id: string
  readonly initial: PaymentDetailView
}

export function PaymentPage({ id, initial }: PaymentViewProps) {
  const format = useFormat()
  const text = useText(paymentTexts)
  const consentText = useText(consentTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.payments.one.queryOptions({ id }), initialData: initial })
  const { payment, rule } = data
  const payee = merchantName(data.merchant.name, data.merchant.audience)
  const amount = format.money(payment.amount_minor, payment.currency)
  return (
    <>
      <header className="grid gap-2">
        <BackLink href="/payments" label={text.back} />
        <h1 aria-label={text.title(amount, payee)} className="grid gap-1">
          <Amount minor={payment.amount_minor} currency={payment.currency} />
          <span className="flex flex-wrap items-center gap-2 text-xl font-medium tracking-tight">
            <Initials name={payee} />
            <span className="text-muted">{text.to}</span> <bdi>{payee}</bdi>
          </span>
        </h1>
        <div className="flex flex-wrap items-center gap-3">
          <PaymentStatus status={payment.status} />
          <Button variant="secondary" size="sm" onClick={() => window.print()}>
            {text.print}
          </Button>
        </div>
      </header>
      <DisputeStanding status={payment.status} />
      <UnexpectedPayment data={data} />
      <Section id="timeline" title={text.timeline}>
        <Card>
          <Timeline steps={data.timeline} rule={rule} />
        </Card>
      </Section>
      <Section id="items" title={text.items}>
        <Card>
          {data.line_items.length === 0 ? (
            <p className="text-muted">{text.noItems}</p>
          ) : (
            <LineItems items={data.line_items} currency={payment.currency} text={consentText} format={format} />
          )}
        </Card>
      </Section>
      <Section id="details" title={text.details}>
        <Card>
          <PaymentFacts data={data} />
        </Card>
      </Section>
      <DisputeHelp data={data} />
      <Evidence paymentId={payment.payment_intent_id} />
      <Proof data={data} />
      <PrintedReceipt data={data} />
    </>
  )
}

/** Offers what helps at once against a payment that the person did not expect. */
function UnexpectedPayment({ data: { agent, merchant } }: { readonly data: PaymentDetailView }) {
  return (
    <Unexpected
      consent={{
        agent,
        agent_paused: agent.paused,
        agent_revoked: agent.revoked,
        merchant_audience: merchant.audience,
        merchant_name: merchant.name,
        paid: true,
      }}
    />
  )
}

function PaymentFacts({ data }: { readonly data: PaymentDetailView }) {
  const text = useText(paymentTexts)
  const { payment, rule, agent, merchant, agreed } = data
  const origin = readOrigin(merchant.audience)
  const isSame = agreed.amount_minor === payment.amount_minor && agreed.currency === payment.currency
  return (
    <Facts>
      <Fact name={text.agreed}>
        <Money minor={agreed.amount_minor} currency={agreed.currency} />
      </Fact>
      <Fact name={text.charged}>
        <Money minor={payment.amount_minor} currency={payment.currency} />
        <span className={isSame ? 'text-muted' : 'font-medium text-danger'}>
          {' '}
          · {isSame ? text.same : text.differs}
        </span>
      </Fact>
      <Fact name={text.why}>
        {whyAllowed(rule, text)}{' '}
        {rule.authorization_id === null ? null : (
          <LineLink href={`/approve/${encodeURIComponent(rule.authorization_id)}`}>{text.seeApproval}</LineLink>
        )}
      </Fact>
      <Fact name={text.agent}>
        <LineLink href={`/agents/${encodeURIComponent(agent.client_id)}`}>
          <ForeignText text={agent.label} />
        </LineLink>
        {agent.revoked ? <span className="text-muted"> ({text.revoked})</span> : null}
      </Fact>
      <Fact name={text.merchant}>
        <code className="font-mono text-sm">{`${origin.text}${origin.path}`}</code>
        <span className="block text-muted">{merchant.verified ? text.verified : text.unverified}</span>
        <LineLink href={`/payments${queryOf({ ...noFilter, merchant: merchant.audience })}`}>{text.others}</LineLink>
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

function whyAllowed(
  { kind, decided_via: via }: PaymentDetailView['rule'],
  { rule, ruleByApp }: TextOf<typeof paymentTexts>,
): string {
  return via === 'token' && (kind === 'approved' || kind === 'approved_over_limit') ? ruleByApp[kind] : rule[kind]
}
