import { CreditCard, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TextOf } from '@/components/i18n/texts'
import type { ConsentView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { Amount } from '@/components/ui/money'
import { Notice } from '@/components/ui/notice'
import { Part } from '@/components/ui/part'
import { TextLink } from '@/components/ui/text-link'
import { cardName } from '@/server/base/core/card-name'
import { AgentPurpose, AskedBy } from './asked-by'
import { differencesOf } from './differences'
import { Effect } from './effect'
import { ExceededLimits } from './exceeded-limits'
import { LastTime } from './last-time'
import { LineItems, TotalCheck } from './line-items'
import { Payee } from './payee'
import { ScopeList } from './scope-list'
import type { scopeTexts } from './scope-messages'
import type { Words } from './words'

interface FactsProps extends Words {
  readonly consent: ConsentView
}

interface RequestFactsProps extends FactsProps {
  readonly scopeText: TextOf<typeof scopeTexts>
}

/**
 * Shows everything that a person needs to know about an approval, in the order of their likely questions. Rendered on
 * the server: it has no controls, and the browser need not load a script for it.
 */
export function RequestFacts({ scopeText, ...facts }: RequestFactsProps) {
  return facts.consent.kind === 'payment' ? (
    <PaymentFacts {...facts} />
  ) : (
    <WalletFacts {...facts} scopeText={scopeText} />
  )
}

function PaymentFacts({ consent, ...words }: FactsProps) {
  const { text } = words
  const { merchant_audience: audience = '', amount_minor: amount = 0, currency = '', line_items: items = [] } = consent
  const { exceeds } = consent
  const differences = consent.status === 'pending' ? differencesOf(consent) : null
  return (
    <>
      <div className="grid grid-cols-1 gap-2 px-5 py-3 sm:px-6 sm:pt-6 sm:pb-5">
        <h1 id="request-title">
          <Amount minor={amount} currency={currency} />
        </h1>
        <Payee
          name={consent.merchant_name}
          audience={audience}
          verified={consent.merchant_verified}
          resembles={consent.resembles}
          text={text}
        />
      </div>
      <Part>
        <AskedBy consent={consent} text={text} />
      </Part>
      {exceeds === undefined ? null : (
        <WhileOpen>
          <Part>
            <ExceededLimits exceeds={exceeds} currency={currency} as="h2" {...words} />
          </Part>
        </WhileOpen>
      )}
      {differences === null || differences.same ? null : (
        <WhileOpen>
          <LastTime differences={differences} currency={currency} {...words} />
        </WhileOpen>
      )}
      {items.length === 0 ? null : (
        <Part title={text.items} note={text.ownWords}>
          <LineItems items={items} currency={currency} changes={differences?.items} {...words} />
          <TotalCheck
            items={items}
            amountMinor={amount}
            currency={currency}
            matches={consent.total_matches}
            {...words}
          />
        </Part>
      )}
      <AgentPurpose purpose={consent.agent.purpose} text={text} />
      {consent.status === 'pending' ? (
        <WhileOpen>
          <Means consent={consent} {...words} />
        </WhileOpen>
      ) : null}
    </>
  )
}

/** Hides its content once the approval is decided or expired, which the page knows before it asks the server again. */
function WhileOpen({ children }: { readonly children: ReactNode }) {
  return <div className="group-data-decided:hidden">{children}</div>
}

/** Shows the card to be charged, and the effect on the limits. */
function Means({ consent, ...words }: FactsProps) {
  const { text } = words
  const { default_card: card, currency = '', agent } = consent
  const choosing = consent.own_card_removed ? `/agents/${encodeURIComponent(agent.client_id)}` : '/cards'
  return (
    <>
      <Part title={text.card}>
        {card === null ? (
          <Notice tone="warning" action={<TextLink href={choosing}>{text.chooseCard}</TextLink>}>
            {text.noCard}
          </Notice>
        ) : (
          <p className="flex flex-wrap items-center gap-2.5">
            <CreditCard aria-hidden className="size-5 shrink-0 text-muted" />
            {cardName(card)}
            {card.expired ? (
              <Badge icon={TriangleAlert} tone="warning" wraps>
                {text.cardExpired}
              </Badge>
            ) : null}
          </p>
        )}
      </Part>
      {saysDailyLimit(consent) ? null : (
        <Part title={text.effect}>
          <Effect effect={consent.effect} currency={currency} {...words} />
        </Part>
      )}
    </>
  )
}

/** Returns whether the box of exceeded limits already shows the person's daily limit. */
function saysDailyLimit({ exceeds = [], effect }: ConsentView): boolean {
  return !effect.refused_currency && exceeds.some(({ kind, scope }) => kind === 'daily_cap' && scope === 'wallet')
}

function WalletFacts({ consent, text, scopeText }: RequestFactsProps) {
  const scopes = consent.scope.split(' ').filter((scope) => scope !== 'openid' && scope !== '')
  return (
    <>
      <h1 id="request-title" className="px-5 py-5 text-2xl font-semibold tracking-tight sm:px-6">
        {text.wallet.heading}
      </h1>
      <Part>
        <AskedBy consent={consent} text={text} />
      </Part>
      <Part title={text.wallet.may}>
        <ScopeList scopes={scopes} text={scopeText} />
        {scopes.includes('wallet:write') ? <Notice tone="warning">{text.wallet.warning}</Notice> : null}
        <p className="text-sm text-muted">{text.wallet.untilRevoked}</p>
      </Part>
      <AgentPurpose purpose={consent.agent.purpose} text={text} />
    </>
  )
}
