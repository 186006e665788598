import type { TextOf } from '@/components/i18n/texts'
import { parseUrl } from '@/server/base/core/parse-url'
import type { merchantsTexts } from './messages'

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

interface ReadAddress {
  readonly address?: string
  readonly error?: string
}

/** Returns the typed or pasted address in the service's form, with a scheme and an ASCII host. */
export function readAddress(typed: string, text: TextOf<typeof merchantsTexts>['form']): ReadAddress {
  const given = typed.trim()
  if (given === '') return { error: text.addressMissing }
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `https://${given}`
  const url = parseUrl(whole)
  if (url === null || !isMerchant(url)) return { error: text.addressBad }
  return { address: url.href }
}

function isMerchant(url: URL): boolean {
  if (url.username !== '' || url.password !== '' || url.hash !== '' || url.search !== '') return false
  if (url.protocol === 'https:') return LOOPBACK.test(url.hostname) || url.hostname.includes('.')
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname)
}
