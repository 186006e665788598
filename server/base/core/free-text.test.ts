import { describe, expect, test } from 'vitest'
import { freeTextRefusal, holdsCardNumber, isArticleNumber, isPlainLine } from './free-text'

describe('the characters of free text', () => {
  test.each([
    ['a plain name', 'Tallow Books'],
    ['nothing', ''],
    ['letters with marks', 'Zoë Müller, Đặng'],
    ['signs and currencies', '“50 % off” – 3 × 4,00 € (#1)'],
    ['Hebrew and Arabic', 'ספרים كتب'],
    ['a joiner between emoji', '👩‍🚀'],
    ['joiners behind colours and selectors', '👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈'],
    ['an emoji with its selector', '❤️ ☎︎ 1️⃣'],
    ['a non-joiner between Persian letters', 'می‌خواهم'],
    ['a joiner behind a virama', 'क्‍ष'],
    ['a joiner before a virama', 'র‍্য'],
    ['a character with an ideographic selector', '葛󠄀'],
    ['a Mongolian letter with its selector', 'ᠠ\u180b'],
    ['punctuation alone', '…'],
    ['a Braille text with a blank', '⠓⠊\u2800⠽⠕⠥'],
    ['a keycap with and without its selector', '1️⃣ 2\u20e3 #️⃣ *️⃣'],
    ['Vietnamese, decomposed', 'Tiếng Việt, ưu đãi lớn nhất'.normalize('NFD')],
    ['Hindi', 'हिन्दी में पुस्तकें, स्त्रियाँ'],
    ['Thai', 'ที่นี่ ผู้ใหญ่ กตัญญู น้ำ'],
    ['Burmese with five marks on a letter', 'လျှော့ဈေး မျှော်လင့်ချက်'],
    ['Arabic with its vowels', 'مُحَمَّدٌ ٱلرَّحْمَٰنِ'],
    ['Hebrew with points and accents', 'בְּרֵאשִׁ֖ית בָּרָ֣א'],
    ['Tibetan with stacked letters', 'བསྒྲུབས་'],
    ['four marks in a row', 'a\u0301\u0302\u0303\u0304b'],
    ['flags and skins', '🇩🇪 🏴‍☠️ 👍🏽'],
    ['an emoji of a later version of Unicode', '\u{1fae9}'],
  ])('%s is taken', (_what, value) => expect(isPlainLine(value)).toBe(true))

  test.each([
    ['NUL', 'a\u0000b'],
    ['a tab', 'a\tb'],
    ['a new line', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['escape', 'a\u001bb'],
    ['delete', 'a\u007fb'],
    ['next line', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
    ['a right-to-left override', 'Tallow\u202eskooB'],
    ['a left-to-right override', 'a\u202db'],
    ['an embedding', 'a\u202ab'],
    ['a pop', 'a\u202cb'],
    ['an isolate', 'a\u2066b\u2069'],
    ['a mark of direction', 'a\u200fb'],
    ['an Arabic letter mark', 'a\u061cb'],
    ['a zero-width space', 'a\u200bb'],
    ['a word joiner', 'a\u2060b'],
    ['a byte order mark', 'a\ufeffb'],
    ['a Mongolian vowel separator', 'a\u180eb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a Hangul filler', 'a\u3164b'],
    ['a tag', 'a\u{e0041}b'],
    ['an interlinear annotation', 'a\ufff9b\ufffb'],
    ['a lone surrogate', 'a\ud800b'],
    ['a non-joiner at the end', 'a\u200c'],
    ['a non-joiner at the start', '\u200ca'],
    ['a joiner between digits', '1\u200d2'],
    ['a joiner beside a space', 'a\u200d b'],
    ['two joiners', 'a\u200d\u200db'],
    ['a selector at the start', '\ufe0fa'],
    ['two selectors', '葛\u{e0100}\u{e0101}'],
    ['an ideographic selector behind a Latin letter', 'helpe\u{e0100}r'],
    ['an emoji selector behind a Latin letter', 'Shop\ufe0f'],
    ['an emoji selector behind a digit that is no keycap', 'Shop 1\ufe0f'],
    ['a Mongolian selector behind a Latin letter', 'a\u180bb'],
    ['a blank', ' '],
    ['an ideographic space', '\u3000'],
    ['Braille without dots', '\u2800\u2800'],
    ['the null notehead', '\u{1d159}'],
    ['a Hangul filler alone', '\u3164'],
    ['five marks in a row', 'a\u0301\u0302\u0303\u0304\u0305'],
    ['a pile of one mark', `xyz${'\u0301'.repeat(82)}`],
    ['marks with joiners between them', `x${'\u0301\u0302\u200d'.repeat(3)}`],
    ['seven marks of some width', 'က\u103b\u103d\u103e\u1031\u102c\u1037\u103a'],
    ['a circle around a letter', 'x\u20dd'],
    ['a keycap around a letter', 'x\u20e3'],
    ['a keycap around a keycap', '1️⃣\u20e3'],
    ['a Cyrillic sign of millions', 'а\u0489'],
    ['a private-use character', 'a\ue000'],
    ['a private-use character of another plane', 'a\u{f0000}'],
    ['a noncharacter', 'a\uffff'],
    ['an unassigned character', 'a\u{2fe0}'],
  ])('%s is refused', (_what, value) => {
    expect(isPlainLine(value)).toBe(false)
    expect(freeTextRefusal(value)).toContain('plain text')
  })
})

describe('card numbers in free text', () => {
  test.each([
    ['13 digits', '4222222222222'],
    ['14 digits', '30569309025904'],
    ['15 digits', '378282246310005'],
    ['16 digits', '4242424242424242'],
    ['19 digits', '6205500000000000004'],
    ['groups', 'pay with 4242 4242 4242 4242 please'],
    ['hyphens', '4242-4242-4242-4242'],
    ['dots', '4242.4242.4242.4242'],
    ['dashes and narrow spaces', '3782–822463\u202f10005'],
    ['a number before it', 'no 2 4242 4242 4242 4242'],
    ['a date and a code behind it', '4242 4242 4242 4242 12/34 123'],
    ['letters around it', 'card4242424242424242x'],
    ['full-width digits', '４２４２４２４２４２４２４２４２'],
    ['Arabic digits', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢'],
    ['Devanagari digits', '४२४२४२४२४२४२४२४२'],
    ['mathematical digits', '𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐'],
  ])('%s are found', (_what, value) => {
    expect(holdsCardNumber(value)).toBe(true)
    expect(freeTextRefusal(value)).toBe('must not hold what may be a card number')
  })

  test.each([
    ['a number that fails the check', '4242424242424241'],
    ['12 digits', '424242424242'],
    ['20 digits', '42424242424242424242'],
    ['an ISBN whose check digit fails Luhn', '978-0-441-47812-5'],
    ['a date and a time', '2026-11-23 03:15:00'],
    ['groups with words between them', '4242 4242 and 4242 4242'],
  ])('%s is none', (_what, value) => {
    expect(holdsCardNumber(value)).toBe(false)
    expect(freeTextRefusal(value)).toBeNull()
  })

  test.each([
    ['9780441478125', true],
    ['9780141430072', true],
    ['4006381333931', true],
    ['10614141000415', true],
    ['4222222222222', false],
    ['4242424242424242', false],
    ['978-0-441-47812-5', false],
  ])('%s as an article number: %s', (value, expected) => expect(isArticleNumber(value)).toBe(expected))
})
