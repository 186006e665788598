import { parseUrl } from '../../base/core/parse-url'
import type { MessageLanguage } from './contract'

/** A dot, or a character or bracketed text that browsers or readers take for a dot in a host name. */
const DOT = String.raw`(?:\s?[[({]\s?(?:[.。]|dot)\s?[\])}]\s?|[.。])`
const LABEL = String.raw`[\p{L}\p{M}\p{N}_-]+`
const BETWEEN_DIGITS = String.raw`[\s().\/·‐-―-]*`

/** Text that a reader or a mail program could take for an address to open, to write to or to call. */
const ADDRESS = new RegExp(
  [
    String.raw`(?:[a-z][a-z\d+.-]*:\s?)?[\/\\]{2}\S*`,
    String.raw`(?:mailto|tel|sms|callto):\S*`,
    String.raw`\S*@\s?\S*`,
    String.raw`\S+\s?[[({]\s?at\s?[\])}]\s?\S+`,
    String.raw`(?:${LABEL}${DOT})+(?=\p{L})${LABEL}\S*`,
    String.raw`\d{1,3}(?:\.\d{1,3}){3}\S*`,
    String.raw`\[[\da-f.]*:[\da-f:.]+\]\S*`,
    String.raw`\+\s?\(?\p{Nd}(?:${BETWEEN_DIGITS}\p{Nd}){3,}`,
    String.raw`\(?\p{Nd}(?:${BETWEEN_DIGITS}\p{Nd}){5,}`,
  ].join('|'),
  'giu',
)

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const QUOTE = /["“”„‟«»]/gu
const NAME_MAX = 80
const SHOP_MAX = 60
const quotes = { en: ['“', '”'], de: ['„', '“'] } as const

/**
 * Returns a name that another party chose in a form that is safe in a message: on one line, in quotes that it cannot
 * close, and without anything that looks like an address. It must not be used in a subject or in the first line.
 */
export function quotedName(name: string, language: MessageLanguage): string {
  const words = oneLine(name).replaceAll(QUOTE, '').replaceAll(ADDRESS, '…').replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(words)
  const short = characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX).join('')}…` : words
  const [open, close] = quotes[language]
  return `${open}${short === '' ? '…' : short}${close}`
}

/** Returns the text as a reader sees it, on one line. */
function oneLine(text: string): string {
  // Normalised, an ellipsis is three dots, which could be taken for a part of an address.
  return text.normalize('NFKC').replaceAll('...', '…').replaceAll(INVISIBLE, '').replaceAll(CONTROL, ' ')
}

export interface Shop {
  /** The registered name; null when there is none. */
  readonly name: string | null
  readonly audience: string
  readonly verified: boolean
}

/**
 * Returns the merchant's name for a subject or a first line: the registered name if it was verified and contains no
 * address, otherwise the host that is paid. Paths are left out, since an agent can write sentences in them. A long
 * host is cut at the front: its end says whose it is.
 */
export function shopName({ name, audience, verified }: Shop): string {
  if (verified && name !== null && oneLine(name).search(ADDRESS) === -1) {
    const words = Array.from(name.replaceAll(CONTROL, ' ').trim())
    return words.length > SHOP_MAX ? `${words.slice(0, SHOP_MAX - 1).join('')}…` : words.join('')
  }
  const host = parseUrl(audience)?.host ?? audience
  return host.length > SHOP_MAX ? `…${host.slice(1 - SHOP_MAX)}` : host
}
