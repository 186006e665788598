import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMoney, typedMoney } from '@/components/lib/typed-money'
import { draftOf, exampleAmount, firstDraft, readDraft, suggestionIn } from '@/components/limits/limits-draft'
import { limitsText } from '@/components/limits/messages'
import { limitsTextDe } from '@/components/limits/messages.de'

const STORED = {
  currency: 'EUR',
  daily_cap_minor: 123_456,
  weekly_cap_minor: 200_000,
  monthly_cap_minor: null,
  single_txn_cap_minor: 2_000,
  velocity_count: 5,
  velocity_window_seconds: 3_600,
  time_zone: 'Europe/Berlin',
}
const english = { text: limitsText.form, locale: 'en' } as const
const german = { text: limitsTextDe.form, locale: 'de' } as const

describe('an amount as typed', () => {
  test.each([
    ['20', 'EUR', 2_000, 2_000],
    ['20.00', 'EUR', 2_000, 2_000],
    ['20,00', 'EUR', 2_000, 2_000],
    ['20.5', 'EUR', 2_050, 2_050],
    ['20,', 'EUR', 2_000, 2_000],
    [' 20,50 ', 'EUR', 2_050, 2_050],
    ['1.000', 'EUR', null, 100_000],
    ['1,000', 'EUR', 100_000, null],
    ['1.000,50', 'EUR', 100_050, 100_050],
    ['1,000.50', 'EUR', 100_050, 100_050],
    ['1 000,50', 'EUR', 100_050, 100_050],
    ["1'000.50", 'EUR', 100_050, 100_050],
    ['1,000,000', 'EUR', 100_000_000, null],
    ['1,000', 'JPY', 1_000, null],
    ['1.000', 'KWD', 1_000, null],
    ['1,000', 'KWD', null, 1_000],
    ['0.500', 'KWD', 500, 500],
    ['10,00', 'JPY', null, null],
    ['12 34', 'EUR', null, null],
    ['0,001', 'EUR', null, null],
    ['1.2.3', 'EUR', null, null],
    ['-5', 'EUR', null, null],
    ['.5', 'EUR', null, null],
    ['1e3', 'EUR', null, null],
    ['٣', 'EUR', null, null],
    ['99999999999999', 'EUR', null, null],
    ['', 'EUR', null, null],
  ])('%j of %s is %j in English and %j in German', (text, currency, inEnglish, inGerman) => {
    expect(parseMoney(text, currency, 'en')).toBe(inEnglish)
    expect(parseMoney(text, currency, 'de')).toBe(inGerman)
  })

  test('an amount as typed is read back to the last digit', () => {
    const amounts = fc.integer({ min: 0, max: 1_000_000_000_000 })
    const places = [fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), fc.constantFrom('en', 'de', 'en-XA', 'ar-XB')] as const
    fc.assert(
      fc.property(amounts, ...places, (minor, currency, locale) => {
        expect(parseMoney(typedMoney(minor, currency, locale), currency, locale)).toBe(minor)
      }),
    )
  })
})

describe('the limits as typed', () => {
  test('limits are written with the decimal sign of the language', () => {
    expect(draftOf(STORED, 'en')).toMatchObject({ daily: '1234.56', single: '20.00', count: '5' })
    expect(draftOf(STORED, 'de')).toMatchObject({ daily: '1234,56', single: '20,00', count: '5' })
    expect(suggestionIn('de')).toMatchObject({ daily: '50,00', single: '20,00' })
    expect(exampleAmount('KWD', 'de')).toBe('20,000')
  })

  test.each([english, german])('stored limits written in $locale are read back unchanged', (words) => {
    expect(readDraft(draftOf(STORED, words.locale), words)).toEqual({ errors: {}, limits: STORED })
  })

  test('a text that is no amount is refused with an example in the language', () => {
    const draft = { ...draftOf(null, 'de'), daily: 'zwanzig', single: '1,000', count: '2.5' }
    expect(readDraft(draft, german).errors).toEqual({
      daily: limitsTextDe.form.badAmount('20,00'),
      single: limitsTextDe.form.badAmount('20,00'),
      count: limitsTextDe.form.badCount,
    })
  })

  test('an amount above the largest limit is refused', () => {
    const draft = { ...draftOf(null, 'en'), daily: '10,000,000,000.01' }
    expect(readDraft(draft, english).errors).toEqual({ daily: limitsText.form.tooMuch })
  })

  test('empty fields mean no limits and no currency', () => {
    const { limits } = readDraft(draftOf(null, 'de'), german)
    expect(new Set(Object.values(limits))).toEqual(new Set([null]))
  })
})

describe('what a new agent is proposed', () => {
  const caps = (currency: string | null, daily: number | null, single: number | null) => ({
    ...STORED,
    currency,
    daily_cap_minor: daily,
    single_txn_cap_minor: single,
  })

  test.each([
    ['nothing was ever saved', null, ['EUR', '20.00', '10.00']],
    ['the wallet has higher limits in pounds', caps('GBP', 50_000, 20_000), ['GBP', '20.00', '10.00']],
    ['the wallet has lower limits', caps('EUR', 1_500, 400), ['EUR', '15.00', '4.00']],
    ['a payment could exceed the day', caps('EUR', 500, null), ['EUR', '5.00', '5.00']],
    ['the wallet limits nothing', caps(null, null, null), ['EUR', '20.00', '10.00']],
  ])('is never above the wallet’s own limits: %s', (_, wallet, expected) => {
    const { currency, daily, single } = firstDraft(wallet, 'en')
    expect([currency, daily, single]).toEqual(expected)
  })
})
