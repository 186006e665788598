import { expect, test } from 'vitest'
import { keptFormats } from './kept-formats'
import { formatMoney } from './money'
import { formatTime } from './time'

test('a format is created once per locale and zone, and once more when too many are kept', () => {
  const made: string[] = []
  const formatOf = keptFormats((locale: string, zone: string | undefined) => {
    made.push(`${locale} ${zone}`)
    return { locale, zone }
  })
  const [first, other, again] = [formatOf('de', undefined), formatOf('de', 'UTC'), formatOf('de', undefined)]
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(made).toEqual(['de undefined', 'de UTC'])
  for (let index = 0; index < 500; index += 1) formatOf(`locale-${index}`, undefined)
  expect(formatOf('de', undefined)).toEqual(first)
  expect(formatOf('de', undefined)).not.toBe(first)
})

test('amounts and times of different languages, currencies and zones do not take each other’s form', () => {
  const at = '2026-11-26T23:30:00Z'
  for (let turn = 0; turn < 2; turn += 1) {
    expect([formatMoney(1250, 'EUR', 'en'), formatMoney(1250, 'EUR', 'de')]).toEqual(['€12.50', '12,50\u00a0€'])
    expect(formatMoney(1250, 'JPY', 'en')).toBe('JPY\u00a01,250')
    const dates = ['UTC', 'Asia/Tokyo'].map((timeZone) => formatTime(at, { style: 'date', locale: 'en', timeZone }))
    expect(dates).toEqual(['26 Nov 2026', '27 Nov 2026'])
  }
})
