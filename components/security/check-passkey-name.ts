import { holdsCardNumber, isPlainLine } from '@/server/base/core/free-text'

interface Words {
  readonly missing: string
  readonly notPlain: string
  readonly cardNumber: string
}

/** Returns in words why a passkey cannot have this name; undefined when it can. */
export function checkPasskeyName(name: string, text: Words): string | undefined {
  if (name.trim() === '') return text.missing
  if (!isPlainLine(name.trim())) return text.notPlain
  return holdsCardNumber(name) ? text.cardNumber : undefined
}
