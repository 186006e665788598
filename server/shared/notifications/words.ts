import { decimalAmount } from '../../base/core/money'
import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { MessageLanguage } from './contract'
import { quotedName } from './foreign-words'
import { accountTexts } from './texts/account'
import { accountTextsDe } from './texts/account.de'
import { contactTexts } from './texts/contacts'
import { contactTextsDe } from './texts/contacts.de'
import { paymentTexts } from './texts/payments'
import { paymentTextsDe } from './texts/payments.de'
import { pushTexts } from './texts/push'
import { pushTextsDe } from './texts/push.de'
import { requestTexts } from './texts/requests'
import { requestTextsDe } from './texts/requests.de'
import { securityTexts } from './texts/security'
import { securityTextsDe } from './texts/security.de'
import { summaryTexts } from './texts/summary'
import { summaryTextsDe } from './texts/summary.de'

const english = {
  account: accountTexts,
  contacts: contactTexts,
  payments: paymentTexts,
  push: pushTexts,
  requests: requestTexts,
  security: securityTexts,
  summary: summaryTexts,
}

/** All texts of messages to people, by area, in each language. */
export const messageTexts: Readonly<Record<MessageLanguage, typeof english>> = {
  en: english,
  de: {
    account: accountTextsDe,
    contacts: contactTextsDe,
    payments: paymentTextsDe,
    push: pushTextsDe,
    requests: requestTextsDe,
    security: securityTextsDe,
    summary: summaryTextsDe,
  },
}

/** The locales in which amounts and times are formatted. */
export const regions = { en: 'en-GB', de: 'de-DE' } as const
const decimalSigns = { en: '.', de: ',' } as const

/** The texts of messages in the person's language, with functions that format names, amounts and times. */
export type Words = ReturnType<typeof wordsIn>

/** Returns the texts of messages in a language, with functions that format names, amounts and times. */
export function wordsIn(language: MessageLanguage) {
  const format = (instant: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(regions[language], options).format(instant)
  return {
    ...messageTexts[language],
    /** A name that another party chose, in quotes. */
    quoted: (name: string) => quotedName(name, language),
    /** An amount, such as 12.50 EUR. */
    money: (amountMinor: number, currency: string) =>
      `${decimalAmount(amountMinor, currency).replace('.', decimalSigns[language])} ${currency}`,
    date: (instant: Date, timeZone: string) => format(instant, { dateStyle: 'full', timeZone }),
    /** A date and time with its time zone. */
    moment: (instant: Date, timeZone: string) =>
      `${format(instant, { dateStyle: 'full', timeStyle: 'short', timeZone })} (${timeZone})`,
  }
}

/** Returns the texts of messages in the language that the person chose, otherwise in English. */
export async function findWords(db: Queryable, principalId: string): Promise<Words> {
  const [row] = await db.query<Row<'MessageSettings', 'language', { language: MessageLanguage | null }>>(
    sql`SELECT language FROM message_settings WHERE principal_id = ${principalId}`,
  )
  return wordsIn(row?.language ?? 'en')
}
