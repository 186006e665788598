import { calculateJwkThumbprint } from 'jose'
import {
  CLOCK_TOLERANCE_SECONDS,
  type Context,
  canonicalMerchant,
  noteMoment,
  openDocument,
  readPart,
} from '../context.ts'
import { MANDATE_TYPE } from '../document-types.ts'
import { DocumentError } from '../documents.ts'
import { isJsonObject, type JsonObject, sha256Base64url } from '../encoding.ts'
import { BINDING_MAX_AGE_SECONDS, BINDING_SKEW_SECONDS, holderOf, parseDisclosure, readBinding } from '../holder.ts'

const NOTHING_SHOWN = 'what the agent was allowed to pay is not shown.'

/** Checks the signed mandate with its disclosures, and its presentation. */
export async function checkMandate(context: Context): Promise<void> {
  const part = readPart(context, 'mandate', NOTHING_SHOWN)
  if (part === null) return
  const { findings } = context
  if (part['kept'] === false) return findings.missing('mandate', `The signed mandate was not kept: ${NOTHING_SHOWN}`)
  const text = part['sd_jwt']
  if (typeof text !== 'string') return findings.missing('mandate', `The signed mandate was left out: ${NOTHING_SHOWN}`)
  const [jws = '', ...disclosures] = text.split('~')
  const mandate = await openDocument(context, 'mandate', { jws, typ: MANDATE_TYPE, name: 'mandate' })
  if (mandate === null) return
  await readClaims(context, mandate.payload)
  await readDisclosures(context, mandate.payload, disclosures)
  await checkPresentation(context, { part, issued: text, claims: mandate.payload })
  if (!findings.has('mandate', 'wrong'))
    findings.proven('mandate', 'The server allowed the agent to make exactly this payment.')
}

async function readClaims(context: Context, claims: JsonObject): Promise<void> {
  const { findings, issuer } = context
  findings.require('mandate', claims['iss'] === issuer, 'The mandate is of another server.')
  findings.fact('mandate', 'amount', claims['amount_minor'])
  findings.fact('mandate', 'currency', claims['currency'])
  findings.fact('mandate', 'merchant', canonicalMerchant(claims['aud']))
  findings.fact('mandate', 'agent', claims['client_id'])
  findings.fact('mandate', 'mandate id', claims['jti'])
  noteMoment(context, 'mandate', 'the mandate was signed', claims['iat'])
  const isInTime = (heldAt(context) ?? 0) < Number(claims['exp'])
  findings.require('mandate', isInTime, 'The money was held after the mandate had expired.')
  const holder = holderOf(claims)
  if (!findings.require('mandate', holder !== null, 'The mandate is bound to no key.') || holder === null) return
  const isSame = holder.jkt === (await calculateJwkThumbprint(holder.jwk))
  findings.require('mandate', isSame, 'The mandate is bound to two different keys.')
}

/** Returns when the money was held, in seconds since 1970; null when the settlement was left out. */
function heldAt({ pack: { settlement } }: Context): number | null {
  return isJsonObject(settlement) ? Date.parse(String(settlement['reserved_at'])) / 1000 : null
}

/** Checks that the digests of the disclosed claims are signed (RFC 9901 section 7.1). */
async function readDisclosures(context: Context, claims: JsonObject, parts: readonly string[]): Promise<void> {
  const { findings, pack } = context
  const digests = new Set<unknown>(Array.isArray(claims['_sd']) ? claims['_sd'] : [])
  findings.require('mandate', parts.at(-1) === '', 'The mandate does not end as mandates do.')
  const disclosed = new Map<unknown, unknown>()
  for (const text of parts.slice(0, -1)) {
    const isSigned = digests.delete(await sha256Base64url(text))
    if (!findings.require('mandate', isSigned, 'The mandate has a disclosure that it does not sign.')) continue
    const disclosure = parseDisclosure(text)
    if (disclosure !== null) disclosed.set(disclosure[1], disclosure[2])
  }
  if (digests.size > 0) findings.missing('mandate', `${digests.size} claim(s) of the mandate were left out.`)
  if (disclosed.has('line_items')) findings.fact('mandate', 'items', disclosed.get('line_items'))
  else findings.missing('mandate', 'The items of the mandate were left out: what was to be bought is not shown by it.')
  const payment = pack['payment']
  const payer = isJsonObject(payment) ? payment['payer'] : undefined
  if (!isJsonObject(payer) || !disclosed.has('principal')) return
  const reference = await sha256Base64url(`${String(payer['principal_id'])}:${String(claims['aud'])}`)
  findings.require('mandate', reference === disclosed.get('principal'), 'The mandate is of another person.')
}

interface Presented {
  readonly part: JsonObject
  readonly issued: string
  readonly claims: JsonObject
}

/** Checks that the same mandate was presented, and the holder's signature if the presentation has one. */
async function checkPresentation(context: Context, { part, issued, claims }: Presented): Promise<void> {
  const { findings } = context
  const presented = part['presentation']
  if (typeof presented !== 'string') return findings.missing('mandate', 'How the mandate was presented was left out.')
  const end = presented.lastIndexOf('~') + 1
  const [shown, own] = [presented.slice(0, end).split('~').slice(0, -1), new Set(issued.split('~'))]
  const isSame = shown.length > 0 && shown.every((text) => own.has(text)) && issued.startsWith(`${shown[0]}~`)
  findings.require('mandate', isSame, 'Another mandate was presented.')
  const binding = presented.slice(end)
  if (binding === '') return findings.stated('mandate', 'The agent presented it over its own authenticated connection.')
  const until = heldAt(context) ?? Number(claims['exp'])
  const fault = await findBindingFault(binding, { claims, boundText: presented.slice(0, end), until })
  if (findings.require('mandate', fault === null, `The agent's signature over the mandate ${fault}`)) {
    findings.proven('mandate', 'The agent presented the mandate with a signature of its own key.')
  }
}

/**
 * Returns the fault of the holder's signature over an earlier presentation; null when it is valid. The server accepted
 * it while the mandate was valid, and no later than it held the money.
 */
async function findBindingFault(
  binding: string,
  { claims, boundText, until }: { readonly claims: JsonObject; readonly boundText: string; readonly until: number },
): Promise<string | null> {
  try {
    const { iat } = await readBinding(binding, { claims, boundText })
    const earliest = Number(claims['iat']) - BINDING_MAX_AGE_SECONDS - CLOCK_TOLERANCE_SECONDS
    const latest = until + BINDING_SKEW_SECONDS + CLOCK_TOLERANCE_SECONDS
    return Number(iat) >= earliest && Number(iat) <= latest ? null : 'is of another time.'
  } catch (error) {
    if (error instanceof DocumentError) return error.message
    throw error
  }
}
