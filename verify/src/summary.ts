import { isApprovedOverLimit, isConfirmedByLink } from './checks/approval.ts'
import type { Context } from './context.ts'
import { isJsonObject } from './encoding.ts'
import type { Report, Verdict } from './verify.ts'

const verdicts: Readonly<Record<Verdict, string>> = {
  proven: 'Proven. Every signature, hash and proof holds, and nothing was altered.',
  consistent:
    'Consistent in itself, not yet trusted. Every signature, hash and proof holds, and nothing was altered since the keys in this evidence signed it.',
  incomplete: 'Not proven. Nothing is wrong, but something was left out or not kept.',
  wrong: 'Wrong. Something was altered, or the parts contradict one another.',
}

/** Returns the verdict, the purchase if nothing is wrong or missing, and the origin of the keys. */
export function summarise(context: Context, { verdict, keys }: Pick<Report, 'verdict' | 'keys'>): string[] {
  const isShown = verdict === 'proven' || verdict === 'consistent'
  const story = isShown ? [describePurchase(context)] : []
  return [verdicts[verdict], ...story, describeKeys(context, keys)]
}

function describeKeys({ issuer }: Context, { from, used }: Report['keys']): string {
  const kids = used.length === 0 ? '' : ` (${used.join(', ')})`
  if (from === 'nowhere') return 'No key could be relied on.'
  if (from === 'reader') return `The keys relied on are those that you gave${kids}.`
  return `The keys relied on came with the pack${kids}: compare them with those that ${issuer === null ? 'the server' : `${issuer}/oauth/jwks.json`} publishes, or give those with --jwks.`
}

function describePurchase({ pack, findings }: Context): string {
  const amount = describeMoney(findings.agreed('amount'), findings.agreed('currency'))
  const payment = isJsonObject(pack['payment']) ? pack['payment'] : {}
  const merchant = isJsonObject(payment['merchant']) ? payment['merchant'] : {}
  const name =
    typeof merchant['name'] === 'string'
      ? `${merchant['name']} (${String(merchant['audience'])})`
      : String(merchant['audience'])
  const purchase = `${amount} to ${name}${describeItems(payment['items'])}`
  const charge = `the card was charged once, at ${String(payment['processed_at'])}`
  return `${describeApproval(pack, purchase)}; ${charge}${describeDispute(payment['status'])}.`
}

/** Describes who approved the purchase and how, or which rule allowed it. */
function describeApproval({ approval, payment }: Context['pack'], purchase: string): string {
  const payer = isJsonObject(payment) && isJsonObject(payment['payer']) ? payment['payer'] : {}
  const name = typeof payer['name'] === 'string' ? payer['name'] : 'The payer'
  if (isJsonObject(approval) && isApprovedOverLimit(approval)) return `${name} let ${purchase} exceed a limit`
  if (!isJsonObject(approval) || approval['kind'] === 'rule')
    return `${name} was not asked, their rules allowed ${purchase}`
  const means = {
    passkey: ' with a passkey',
    wallet_presentation: ' with a credential in their wallet app',
    magic_link: ', signed in by a mailed link',
  }[String(approval['kind'])]
  const how = isConfirmedByLink(approval) ? ', by a mailed link' : (means ?? '')
  return `${name} approved ${purchase} at ${String(approval['decided_at'])}${how}`
}

function describeItems(items: unknown): string {
  if (!Array.isArray(items) || items.length === 0) return ''
  const names = (items as unknown[]).map((item) => {
    const { qty, title, sku } = isJsonObject(item) ? item : {}
    return `${String(qty)} × ${String(title ?? sku)}`
  })
  return ` for ${names.join(', ')}`
}

function describeDispute(status: unknown): string {
  if (status === 'succeeded') return ''
  return `; disputed, ${String(status).replace('disputed_', '')}`
}

/**
 * The decimal digits of ISO 4217 codes that do not have two. Intl disagrees with the standard for dozens of currencies.
 */
const digitsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)] as const)),
)

/** Formats minor units with the digits of the currency, for instance "EUR 12.00". */
export function describeMoney(amount: unknown, currency: unknown): string {
  const [minor, code] = [Number(amount), String(currency)]
  if (!/^[A-Z]{3}$/.test(code)) return `${minor} (minor units)`
  const digits = digitsByCode.get(code) ?? 2
  return `${code} ${(minor / 10 ** digits).toFixed(digits)}`
}
