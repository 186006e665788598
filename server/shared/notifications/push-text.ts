import { decimalAmount } from '../../base/core/money'
import { parseUrl } from '../../base/core/parse-url'
import type { PushLanguage } from './contract'
import { type Shop, shopName } from './foreign-words'

interface Purchase {
  readonly amountMinor: number
  readonly currency: string
  readonly shop: Shop
}

/** What a push message tells. */
export type PushNews =
  | ({ readonly kind: 'purchase'; readonly matchCode: string } & Purchase)
  | ({ readonly kind: 'limit' | 'bank' } & Purchase)
  | { readonly kind: 'access'; readonly matchCode: string }
  | { readonly kind: 'security' | 'payments' | 'near_limit' | 'disputes' | 'test' | 'hidden' }

/** What a lock screen shows of it. */
export interface PushText {
  readonly title: string
  readonly body: string
}

const SHOP_MAX_CHARS = 60

const english = {
  purchase: (what: string, code: string) => ({ title: `${what}?`, body: `Match code ${code}. Open to decide.` }),
  limit: (what: string) => ({ title: `${what}?`, body: 'It is over your limits. Open to decide.' }),
  bank: (what: string) => ({ title: `${what}?`, body: 'Your bank asks you to confirm it. Open to decide.' }),
  access: (code: string) => ({ title: 'An agent asks for access', body: `Match code ${code}. Open to decide.` }),
  security: { title: 'The security of your wallet was changed', body: 'If that was not you, open and look at it.' },
  payments: { title: 'There is news about a payment', body: 'Open to see it.' },
  near_limit: { title: 'Your daily limit is nearly used', body: 'Open to see what is left.' },
  disputes: { title: 'There is news about a dispute', body: 'Open to see it.' },
  test: { title: 'Test message', body: 'Messages arrive on this device. Nothing waits for you.' },
  hidden: { title: 'Something waits for you', body: 'Open to see it.' },
  to: (money: string, shop: string) => `${money} to ${shop}`,
}

const german: typeof english = {
  purchase: (what, code) => ({ title: `${what}?`, body: `Vergleichscode ${code}. Zum Entscheiden öffnen.` }),
  limit: (what) => ({ title: `${what}?`, body: 'Das liegt über Ihren Limits. Zum Entscheiden öffnen.' }),
  bank: (what) => ({ title: `${what}?`, body: 'Ihre Bank bittet um Bestätigung. Zum Entscheiden öffnen.' }),
  access: (code) => ({ title: 'Ein Agent bittet um Zugriff', body: `Vergleichscode ${code}. Zum Entscheiden öffnen.` }),
  security: {
    title: 'Die Sicherheit Ihrer Wallet wurde geändert',
    body: 'Wenn Sie das nicht waren, öffnen Sie und sehen Sie nach.',
  },
  payments: { title: 'Es gibt Neues zu einer Zahlung', body: 'Zum Ansehen öffnen.' },
  near_limit: { title: 'Ihr Tageslimit ist fast verbraucht', body: 'Öffnen Sie, um zu sehen, was übrig ist.' },
  disputes: { title: 'Es gibt Neues zu einem Streitfall', body: 'Zum Ansehen öffnen.' },
  test: { title: 'Testnachricht', body: 'Nachrichten kommen auf diesem Gerät an. Nichts wartet auf Sie.' },
  hidden: { title: 'Etwas wartet auf Sie', body: 'Zum Ansehen öffnen.' },
  to: (money, shop) => `${money} an ${shop}`,
}

const texts = { en: english, de: german } as const
const regions = { en: 'en-GB', de: 'de-DE' } as const

/** What a lock screen shows, in the device's language: never what an agent wrote, its name included. */
export function pushText(news: PushNews, language: PushLanguage): PushText {
  const text = texts[language]
  switch (news.kind) {
    case 'purchase':
      return text.purchase(describe(news, language), news.matchCode)
    case 'limit':
    case 'bank':
      return text[news.kind](describe(news, language))
    case 'access':
      return text.access(news.matchCode)
    case 'security':
    case 'payments':
    case 'near_limit':
    case 'disputes':
    case 'test':
    case 'hidden':
      return text[news.kind]
  }
}

function describe({ amountMinor, currency, shop }: Purchase, language: PushLanguage): string {
  const decimal = decimalAmount(amountMinor, currency)
  const digits = decimal.split('.')[1]?.length ?? 0
  const money = new Intl.NumberFormat(regions[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(decimal))
  return texts[language].to(money, shortName(shop))
}

/** A shop that nobody has verified is called by its host. */
function shortName(shop: Shop): string {
  const name = shopName(shop)
  const characters = Array.from(shop.verified ? name : (parseUrl(shop.audience)?.host ?? name))
  return characters.length > SHOP_MAX_CHARS
    ? `${characters.slice(0, SHOP_MAX_CHARS - 1).join('')}…`
    : characters.join('')
}
