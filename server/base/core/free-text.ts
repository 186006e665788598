/** Control, line and paragraph characters, lone surrogates, and those that have no width or change the direction. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** The characters that a joiner may follow: a letter with its marks, or an emoji with its colour. */
const ENDS_JOINED = /[\p{L}\p{Mn}\p{Mc}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u
const STARTS_JOINED = /^[\p{L}\p{Mn}\p{Mc}\p{Extended_Pictographic}]/u
/** A variation selector behind what has several forms: an emoji, an ideograph, a letter of Mongolian, or a keycap. */
const ENDS_VARIED =
  /(?:[\p{Extended_Pictographic}\p{Ideographic}][\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|\p{Script=Mongolian}[\u180b-\u180d\u180f])$/u
const ENDS_KEYCAP = /[\d#*]\ufe0f\u20e3$/u
/**
 * What is drawn over its neighbours: more than four marks of no width in a row, or six of any kind, which are the most
 * that a word of any script has (Burmese has five, some of them beside the letter); joiners between them do not part
 * them. And signs around a letter, but for that of a keycap.
 */
const PAINTS_OVER =
  /(?:\p{Mn}[\u200c\u200d]?){5}|(?:\p{M}[\u200c\u200d]?){7}|(?!\u20e3)\p{Me}|(?<![\d#*]\ufe0f?)\u20e3/u
/** Characters without a meaning that is known to all. Places that Unicode keeps for emoji may be in use by now. */
const MEANS_NOTHING = /\p{Co}|(?!\p{Extended_Pictographic})\p{Cn}/u
/** A character that is seen. A Braille pattern without dots and the null notehead are symbols, but blank. */
const VISIBLE = /(?![\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Digits in groups, as on a card. */
const DIGITS = /\d+(?:[ .\-/_,\u00a0\u2009\u202f\u2010-\u2015\u2212]{1,2}\d+)*/g
const CARD_NUMBER_MIN = 13
const CARD_NUMBER_MAX = 19

/**
 * Whether a text is empty, or one line that is seen, without characters that are hidden, make others look different, are
 * drawn over others or mean nothing.
 */
export function isPlainLine(value: string): boolean {
  if (value !== '' && !VISIBLE.test(value)) return false
  if (PAINTS_OVER.test(value) || MEANS_NOTHING.test(value)) return false
  return [...value.matchAll(HIDDEN)].every(({ 0: character, index }) => {
    const before = value.slice(0, index)
    const after = value.slice(index + character.length)
    if (character === '\u200c' || character === '\u200d') return ENDS_JOINED.test(before) && STARTS_JOINED.test(after)
    return ENDS_VARIED.test(before + character) || ENDS_KEYCAP.test(before + value.slice(index, index + 2))
  })
}

/** Whether a text may hold the number of a card: 13 to 19 digits, in groups or not, that pass the Luhn check. */
export function holdsCardNumber(value: string): boolean {
  const digits = value.normalize('NFKC').replaceAll(/\p{Nd}/gu, westernDigit)
  return (digits.match(DIGITS) ?? []).some((run) => holdsLuhnNumber(run.split(/\D+/)))
}

/** Whether any run of the groups is a card number; other numbers may precede and follow it. */
function holdsLuhnNumber(groups: readonly string[]): boolean {
  return groups.some((_, start) => {
    let number = ''
    for (let end = start; end < groups.length && number.length < CARD_NUMBER_MAX; end += 1) {
      number += groups[end]
      if (isLuhnNumber(number)) return true
    }
    return false
  })
}

function isLuhnNumber(number: string): boolean {
  if (number.length < CARD_NUMBER_MIN || number.length > CARD_NUMBER_MAX) return false
  return hasCheckDigit(number, (digit) => (digit > 4 ? digit * 2 - 9 : digit * 2))
}

/** Whether the sum of the digits, every second one from the right weighed, is a multiple of ten. */
function hasCheckDigit(number: string, weigh: (digit: number) => number): boolean {
  const digits = Array.from(number, Number).toReversed()
  return digits.reduce((sum, digit, place) => sum + (place % 2 === 0 ? digit : weigh(digit)), 0) % 10 === 0
}

/** Converts a digit of any script to 0–9: in Unicode each script has its ten digits in a row, from zero on. */
function westernDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

/** Whether a text is a GTIN-13 or GTIN-14 by its check digit. One in ten of them also passes the Luhn check. */
export function isArticleNumber(value: string): boolean {
  return /^\d{13,14}$/.test(value) && hasCheckDigit(value, (digit) => digit * 3)
}

/** The message for a text that fails {@link isPlainLine}, to follow the name of its member. */
export const NO_PLAIN_LINE =
  'must be one line of plain text without control, invisible, unassigned or piled-up characters'

/** Returns why a text must not be shown to people, to follow the name of its member; null when it may be. */
export function freeTextRefusal(value: string): string | null {
  if (!isPlainLine(value)) return NO_PLAIN_LINE
  return holdsCardNumber(value) ? 'must not hold what may be a card number' : null
}
