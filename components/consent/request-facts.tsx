'use client'

import { CreditCard } from 'lucide-react'
import { cardName } from '@/components/cards/card-name'
import { useText } from '@/components/i18n/locale-provider'
import type { ConsentView } from '@/components/lib/api-types'
import { Notice } from '@/components/ui/notice'
import { Part } from '@/components/ui/part'
import { TextLink } from '@/components/ui/text-link'
import { AgentPurpose, AskedBy } from './asked-by'
import { differencesOf } from './differences'
import { Effect } from './effect'
import { LastTime } from './last-time'
import { LineItems, TotalCheck } from './line-items'
import { consentTexts } from './messages'
import { ScopeList } from './scope-list'

interface FactsProps {
  readonly consent: ConsentView
  /** Still to be decided: only then do card and limits say what would happen. */
  readonly open: boolean
}

/** Everything a person needs to know about a purchase, in the order in which the questions come up. */
export function PaymentFacts({ consent, open }: FactsProps) {
  const consentText = useText(consentTexts)
  const { line_items: items = [], currency = '', last_purchase: last } = consent
  const differences = open ? differencesOf(consent) : null
  return (
    <>
      <Part>
        <AskedBy consent={consent} />
      </Part>
      {last === null || differences === null ? null : (
        <LastTime last={last} differences={differences} currency={currency} />
      )}
      {items.length === 0 ? null : (
        <Part title={consentText.items} note={consentText.ownWords}>
          <LineItems items={items} currency={currency} changes={differences?.items} />
          <TotalCheck items={items} matches={consent.total_matches} />
        </Part>
      )}
      <AgentPurpose purpose={consent.agent.purpose} />
      {open ? <Means consent={consent} /> : null}
    </>
  )
}

function Means({ consent }: { readonly consent: ConsentView }) {
  const consentText = useText(consentTexts)
  const { default_card: card, currency = '' } = consent
  return (
    <>
      <Part title={consentText.card}>
        {card === null ? (
          <Notice tone="warning" action={<TextLink href="/cards">{consentText.addCard}</TextLink>}>
            {consentText.noCard}
          </Notice>
        ) : (
          <p className="flex items-center gap-2.5">
            <CreditCard aria-hidden className="size-5 shrink-0 text-muted" />
            {cardName(card)}
          </p>
        )}
      </Part>
      <Part title={consentText.effect}>
        <Effect effect={consent.effect} currency={currency} />
      </Part>
    </>
  )
}

export function WalletFacts({ consent }: FactsProps) {
  const consentText = useText(consentTexts)
  const scopes = consent.scope.split(' ').filter((scope) => scope !== 'openid' && scope !== '')
  return (
    <>
      <Part>
        <AskedBy consent={consent} />
      </Part>
      <Part title={consentText.wallet.may}>
        <ScopeList scopes={scopes} />
        {scopes.includes('wallet:write') ? <Notice tone="warning">{consentText.wallet.warning}</Notice> : null}
        <p className="text-sm text-muted">{consentText.wallet.untilRevoked}</p>
      </Part>
      <AgentPurpose purpose={consent.agent.purpose} />
    </>
  )
}
