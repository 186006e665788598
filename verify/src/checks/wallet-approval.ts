import { calculateJwkThumbprint } from 'jose'
import { CLOCK_TOLERANCE_SECONDS, type Context, openDocument } from '../context.ts'
import { DocumentError } from '../documents.ts'
import {
  canonicalJson,
  decodeBase64url,
  digestOf,
  isJsonObject,
  type JsonObject,
  sha256Base64url,
  toText,
} from '../encoding.ts'
import { BINDING_MAX_AGE_SECONDS, BINDING_SKEW_SECONDS, holderOf, parseDisclosure, readBinding } from '../holder.ts'
import { parseStrictJson } from '../strict-json.ts'

const TYPE = 'dc+sd-jwt'
const TRANSACTION_TYPE = 'urn:oid4ac:payment:1'

/**
 * Checks the approval by a wallet app, which presented a credential of the payer over exactly this purchase: the server
 * signed the credential for the payer, and the key that it is bound to signed the hash of transaction data with payee,
 * amount and items.
 */
export async function checkWalletApproval(context: Context, approval: JsonObject): Promise<void> {
  const { findings } = context
  const { presentation } = approval
  if (typeof presentation !== 'string') {
    return findings.missing('approval', 'What the wallet app presented was left out.')
  }
  const end = presentation.lastIndexOf('~') + 1
  const [jws = '', ...disclosures] = presentation.slice(0, end).split('~').slice(0, -1)
  const credential = await openDocument(context, 'approval', { jws, typ: TYPE, name: 'credential of the wallet app' })
  if (credential === null) return
  const claims = credential.payload
  await checkCredential(context, { approval, claims, disclosures })
  await checkTransaction(context, approval)
  await checkBinding(context, {
    approval,
    claims,
    boundText: presentation.slice(0, end),
    binding: presentation.slice(end),
  })
  if (findings.has('approval', 'wrong') || findings.has('approval', 'missing')) return
  findings.proven(
    'approval',
    'The key of a credential that the server issued for the payer signed exactly what they were shown.',
  )
  findings.stated('approval', "By the server's records the payer had added this credential to their own wallet app.")
}

interface Credential {
  readonly approval: JsonObject
  readonly claims: JsonObject
  readonly disclosures: readonly string[]
}

/** Checks that the credential is the server's own mandate about the payer, bound to the key that the pack names. */
async function checkCredential(context: Context, { approval, claims, disclosures }: Credential): Promise<void> {
  const { findings, issuer, pack } = context
  const isOwn = claims['iss'] === issuer && claims['vct'] === `${issuer}/vct/service-mandate/1`
  findings.require('approval', isOwn, 'The credential of the wallet app is not one of the server that approves.')
  const holder = holderOf(claims)
  const thumbprint = holder === null ? null : await calculateJwkThumbprint(holder.jwk)
  const isBound = thumbprint !== null && holder?.jkt === thumbprint && approval['holder_jkt'] === thumbprint
  findings.require('approval', isBound, 'The credential of the wallet app is bound to another key.')
  const payment = pack['payment']
  const payer = isJsonObject(payment) && isJsonObject(payment['payer']) ? payment['payer'] : {}
  const { principal_id: principalId } = payer
  if (typeof principalId !== 'string') {
    return findings.missing('approval', 'The person was left out: whose wallet app signed is not shown.')
  }
  const reference = await sha256Base64url(`${principalId}:${issuer}`)
  const principal = await readPrincipal(context, { approval, claims, disclosures })
  findings.require('approval', principal === reference, 'The credential of the wallet app is of another person.')
}

/** Reads the principal from the disclosed claims, whose digests must be signed (RFC 9901 section 7.1). */
async function readPrincipal({ findings }: Context, { claims, disclosures }: Credential): Promise<unknown> {
  const digests = new Set<unknown>(Array.isArray(claims['_sd']) ? claims['_sd'] : [])
  const disclosed = new Map<unknown, unknown>()
  for (const text of disclosures) {
    const isSigned = digests.delete(await sha256Base64url(text))
    if (!findings.require('approval', isSigned, 'The credential has a disclosure that it does not sign.')) continue
    const disclosure = parseDisclosure(text)
    if (disclosure !== null) disclosed.set(disclosure[1], disclosure[2])
  }
  return disclosed.get('principal')
}

/** Checks that the transaction data contain the request and everything that the person was shown. */
async function checkTransaction({ findings }: Context, approval: JsonObject): Promise<void> {
  const display = isJsonObject(approval['display']) ? approval['display'] : {}
  const { merchant_origin: merchant, ...rest } = display
  const said = readTransaction(approval['transaction_data'])
  if (!findings.require('approval', said !== null, 'The transaction data cannot be read.') || said === null) return
  const { type, credential_ids: _ids, transaction_data_hashes_alg: _algorithms, ...purchase } = said
  const shown = {
    authorization_id: approval['authorization_id'] ?? null,
    merchant: merchant ?? null,
    ...rest,
    display_digest: await digestOf(display),
  }
  const isSame = type === TRANSACTION_TYPE && canonicalJson(purchase) === canonicalJson(shown)
  findings.require('approval', isSame, 'The wallet app signed another purchase than the person was shown.')
}

function readTransaction(text: unknown): JsonObject | null {
  try {
    const value = parseStrictJson(toText(decodeBase64url(String(text))))
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

interface Binding extends Omit<Credential, 'disclosures'> {
  readonly boundText: string
  readonly binding: string
}

/** Checks that the wallet app signed for this server, its nonce, this time and the hash of these transaction data. */
async function checkBinding({ findings }: Context, { approval, claims, boundText, binding }: Binding): Promise<void> {
  try {
    const signed = await readBinding(binding, { claims, boundText })
    const hashes = [await sha256Base64url(String(approval['transaction_data']))]
    const isFor = canonicalJson(signed['transaction_data_hashes'] ?? null) === canonicalJson(hashes)
    findings.require('approval', isFor, 'The wallet app signed other transaction data.')
    const { nonce, aud, iat } = signed
    const isAnswer = nonce === approval['nonce'] && aud === approval['audience']
    findings.require('approval', isAnswer, 'The wallet app answered another request.')
    const decided = Date.parse(String(approval['decided_at'])) / 1000
    const earliest = decided - BINDING_MAX_AGE_SECONDS - CLOCK_TOLERANCE_SECONDS
    const latest = decided + BINDING_SKEW_SECONDS + CLOCK_TOLERANCE_SECONDS
    const isThen = Number(iat) >= earliest && Number(iat) <= latest
    findings.require('approval', isThen, 'The wallet app signed at another time.')
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    findings.wrong('approval', `The signature of the wallet app ${error.message}`)
  }
}
