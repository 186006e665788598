'use client'

import { groupedNumber } from '@/components/cards/grouped-number'
import { cardsTexts } from '@/components/cards/messages'
import { useText } from '@/components/i18n/locale-provider'
import type { DevelopersView } from '@/components/lib/api-types'
import { Card, Section } from '@/components/ui/card'
import { Notice } from '@/components/ui/notice'
import { CopyRow } from './copy-row'
import { developersTexts } from './messages'

type Sandbox = NonNullable<DevelopersView['sandbox']>

/** Shows what can be tried without money, in the sandbox only. */
export function SandboxTrials({ sandbox }: Pick<DevelopersView, 'sandbox'>) {
  const text = useText(developersTexts).sandbox
  return (
    <Section id="sandbox" title={text.title}>
      {sandbox === null ? (
        <Notice tone="info">{text.off}</Notice>
      ) : (
        <Card className="grid gap-8">
          <Merchants merchants={sandbox.merchants} />
          {sandbox.amounts.length === 0 ? null : <Amounts amounts={sandbox.amounts} />}
          {sandbox.cards.length === 0 ? null : <Cards cards={sandbox.cards} />}
          <p>
            <a href={sandbox.outbox_url} className="font-medium text-accent underline underline-offset-4">
              {text.outbox}
            </a>
          </p>
        </Card>
      )}
    </Section>
  )
}

function Merchants({ merchants }: Pick<Sandbox, 'merchants'>) {
  const text = useText(developersTexts).sandbox
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{text.merchants}</h3>
      <ul className="grid gap-4">
        {merchants.map((merchant) => (
          <li key={merchant.audience} className="grid gap-1">
            <p className="flex flex-wrap gap-x-3">
              <bdi className="font-medium">{merchant.name}</bdi>
              <span className="text-muted">{merchant.currencies.join(', ')}</span>
              <a href={merchant.catalog_url} className="text-accent underline underline-offset-4">
                {text.catalog}
              </a>
            </p>
            <CopyRow
              value={merchant.audience}
              what={`${text.merchantAddress} ${merchant.name}`}
              href={merchant.audience}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Amounts({ amounts }: Pick<Sandbox, 'amounts'>) {
  const text = useText(developersTexts)
  return (
    <table className="w-full border-collapse text-start">
      <caption className="pb-2 text-start">
        <span className="block font-semibold">{text.sandbox.amounts}</span>
        <span className="block text-sm text-muted">{text.sandbox.amountsHint}</span>
      </caption>
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="whitespace-nowrap pe-4 pb-1 text-start font-medium">
            {text.sandbox.amount}
          </th>
          <th scope="col" className="pb-1 text-start font-medium">
            {text.sandbox.happens}
          </th>
        </tr>
      </thead>
      <tbody>
        {amounts.map(({ amount_minor: minor, behaviour }) => (
          <tr key={minor} className="border-t border-line align-baseline">
            <th scope="row" className="whitespace-nowrap py-2 pe-4 text-start font-mono text-sm font-normal">
              {minor}
            </th>
            <td className="py-2">{text.behaviour[behaviour]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cards({ cards }: Pick<Sandbox, 'cards'>) {
  const text = useText(developersTexts).sandbox
  const { cards: names } = useText(cardsTexts).test
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{text.cards}</h3>
      <ul className="grid gap-4">
        {cards.map(({ number, name }) => (
          <li key={number} className="grid">
            <p className="font-medium">{names[name].label}</p>
            <p className="text-sm text-muted">{names[name].behaviour}</p>
            <CopyRow value={number} shown={groupedNumber(number)} what={`${text.cardNumber} ${names[name].label}`} />
          </li>
        ))}
      </ul>
    </div>
  )
}
