import { decimalAmount } from '../../base/core/money'
import type { MessageLanguage } from './contract'
import { type Shop, shopName } from './foreign-words'
import { regions, wordsIn } from './words'

interface Purchase {
  readonly amountMinor: number
  readonly currency: string
  readonly shop: Shop
}

/** The facts of a push message. */
export type PushDetails =
  | ({ readonly kind: 'purchase'; readonly matchCode: string } & Purchase)
  | ({ readonly kind: 'limit' | 'bank' } & Purchase)
  | { readonly kind: 'access'; readonly matchCode: string }
  | { readonly kind: 'security' | 'payments' | 'near_limit' | 'disputes' | 'test' | 'hidden' }

/** The text on a lock screen. */
export interface PushText {
  readonly title: string
  readonly body: string
}

/**
 * Returns the text for a lock screen, in the device's language. It never contains what an agent wrote, not even its
 * name.
 */
export function pushText(details: PushDetails, language: MessageLanguage): PushText {
  const text = wordsIn(language).push
  switch (details.kind) {
    case 'purchase':
      return text.purchase(describe(details, language), details.matchCode)
    case 'limit':
    case 'bank':
      return text[details.kind](describe(details, language))
    case 'access':
      return text.access(details.matchCode)
    case 'security':
    case 'payments':
    case 'near_limit':
    case 'disputes':
    case 'test':
    case 'hidden':
      return text[details.kind]
  }
}

function describe({ amountMinor, currency, shop }: Purchase, language: MessageLanguage): string {
  const decimal = decimalAmount(amountMinor, currency)
  const digits = decimal.split('.')[1]?.length ?? 0
  const money = new Intl.NumberFormat(regions[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(decimal))
  return wordsIn(language).push.to(money, shopName(shop))
}
