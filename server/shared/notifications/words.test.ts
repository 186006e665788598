import { describe, expect, test } from 'vitest'
import { messageLanguages } from './contract'
import { messageTexts, wordsIn } from './words'

const GIVEN = 'GIVEN-'

/**
 * Returns every text below a value by its path; functions are called with values that can be recognized in the result.
 */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const given = Array.from({ length: value.length }, (_, at) => GIVEN + at)
    return textsOf(Reflect.apply(value, undefined, given), path)
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${path}.${name}`))
}

const givenIn = (text: string) => (text.match(/GIVEN-\d/g) ?? []).toSorted()

describe.each(messageLanguages)('the messages in %s', (language) => {
  const english = new Map(textsOf(messageTexts.en))
  const texts = textsOf(messageTexts[language])

  test('are as many as in English, none is empty, and none is left in English', () => {
    expect(texts.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted())
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([])
    const same = texts.filter(([path, text]) => language !== 'en' && text === english.get(path))
    // Both languages use the word “Agent”, and these titles only add a question mark.
    const alike = ['.push.bank.title', '.push.limit.title', '.push.purchase.title', '.requests.agent']
    expect(same.map(([path]) => path).filter((path) => !alike.includes(path))).toEqual([])
  })

  test('say all that they are given, amounts, shops and links among it', () => {
    const lost = texts.filter(([path, text]) => givenIn(text).join() !== givenIn(english.get(path) ?? '').join())
    expect(lost).toEqual([])
  })

  test('keep their paragraphs', () => {
    const paragraphs = (text: string) => text.split('\n\n').length
    expect(texts.filter(([path, text]) => paragraphs(text) !== paragraphs(english.get(path) ?? ''))).toEqual([])
  })
})

test('amounts and times are written as the language writes them', () => {
  const [en, de] = [wordsIn('en'), wordsIn('de')]
  expect([en.money(1_250, 'EUR'), de.money(1_250, 'EUR'), de.money(12, 'JPY')]).toEqual([
    '12.50 EUR',
    '12,50 EUR',
    '12 JPY',
  ])
  const evening = new Date('2026-11-25T17:03:00Z')
  expect(en.moment(evening, 'Europe/Vienna')).toMatch(/25 November 2026 at 18:03 \(Europe\/Vienna\)$/)
  expect(de.moment(evening, 'Europe/Vienna')).toMatch(/25\. November 2026 um 18:03 \(Europe\/Vienna\)$/)
})
