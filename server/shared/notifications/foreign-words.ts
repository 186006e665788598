import type { MessageLanguage } from './contract'

/** Every dot that browsers read as one in a name of a host, also between brackets. */
const DOT = String.raw`(?:\s?[[({]\s?(?:[.。]|dot)\s?[\])}]\s?|[.。])`
const LABEL = String.raw`[\p{L}\p{M}\p{N}_-]+`
const BETWEEN_DIGITS = String.raw`[\s().\/·‐-―-]*`

/** What a reader, or their mail program, could take for an address to open, to write to or to call. */
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
const quotes = { en: ['“', '”'], de: ['„', '“'] } as const

/**
 * A name that somebody else chose, as it may stand in a message of ours: on one line, in quotes that it cannot close, and
 * without anything that looks like an address. It never stands in a subject or in the first line.
 */
export function quotedName(name: string, language: MessageLanguage): string {
  // Normalised, an ellipsis is three dots, which could be taken for a part of an address.
  const line = name
    .normalize('NFKC')
    .replaceAll('...', '…')
    .replaceAll(INVISIBLE, '')
    .replaceAll(CONTROL, ' ')
    .replaceAll(QUOTE, '')
  const words = line.replaceAll(ADDRESS, '…').replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(words)
  const short = characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX).join('')}…` : words
  const [open, close] = quotes[language]
  return `${open}${short === '' ? '…' : short}${close}`
}

export interface Shop {
  /** As it is registered. */
  readonly name: string | null
  readonly audience: string
  readonly verified: boolean
}

/** How a message calls a shop: by its name where that was verified, otherwise by the address that is paid. */
export function shopName({ name, audience, verified }: Shop): string {
  return verified && name !== null ? name.replaceAll(CONTROL, ' ').trim() : audience
}
