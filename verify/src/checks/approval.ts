import { type Context, canonicalMerchant, noteMoment, readPart } from '../context.ts'
import { canonicalJson, digestOf, isJsonObject, type JsonObject } from '../encoding.ts'
import { findAssertionFault } from '../passkey.ts'
import { checkWalletApproval } from './wallet-approval.ts'

const NOTHING_SHOWN = 'whether and how the person approved is not shown.'

const byRule: ReadonlyMap<unknown, string> = new Map([
  [
    'approved_over_limit',
    "By the server's records the person let this payment exceed a limit; no key of theirs signed it.",
  ],
  ['remembered_merchant', 'The person was not asked: they had approved this agent at this merchant before.'],
  ['within_limits', 'The person was not asked: their rules and limits allowed the purchase.'],
])

const unsigned: Readonly<Record<string, string>> = {
  magic_link: "approved it on the server's page, signed in by a link mailed to them; no key of theirs signed it",
  demo: "approved it on the server's page in a demonstration without sign-in",
  no_evidence: "approved this outside the server's page; no key of theirs signed it",
}

const CONFIRMED_BY_LINK =
  'confirmed what their rules and limits allowed, by a link mailed to them; no key of theirs signed it'

/** Checks what the person was shown and how they confirmed it, or which rule allowed the purchase. */
export async function checkApproval(context: Context): Promise<void> {
  const approval = readPart(context, 'approval', NOTHING_SHOWN)
  if (approval === null) return
  const { findings } = context
  const kind = String(approval['kind'])
  if (kind === 'rule') {
    const rule = byRule.get(approval['rule'])
    return rule === undefined
      ? findings.wrong('approval', 'The rule is not one that there is.')
      : findings.stated('approval', rule)
  }
  if (kind !== 'passkey' && kind !== 'wallet_presentation' && !Object.hasOwn(unsigned, kind)) {
    return approval['kind'] === undefined
      ? findings.missing('approval', `How the person approved was left out: ${NOTHING_SHOWN}`)
      : findings.wrong('approval', 'The approval is of an unknown kind.')
  }
  noteMoment(context, 'approval', 'the person was asked', approval['asked_at'])
  noteMoment(context, 'approval', 'the person approved', approval['decided_at'])
  if (kind !== 'no_evidence') await checkShown(context, approval)
  if (kind === 'passkey') await checkPasskey(context, approval)
  else if (kind === 'wallet_presentation') await checkWalletApproval(context, approval)
  else findings.stated('approval', `By the server's records the person ${describeUnsigned(kind, approval)}.`)
}

function describeUnsigned(kind: string, approval: JsonObject): string | undefined {
  return isConfirmedByLink(approval) ? CONFIRMED_BY_LINK : unsigned[kind]
}

/** Returns whether the purchase exceeded limits, and was allowed because the person let it exceed them once. */
export const isApprovedOverLimit = (approval: JsonObject): boolean =>
  approval['kind'] === 'rule' && approval['rule'] === 'approved_over_limit'

/** Returns whether the rules allowed the purchase and the person confirmed it by the mailed link. */
export const isConfirmedByLink = (approval: JsonObject): boolean =>
  approval['kind'] === 'no_evidence' && approval['decided_via'] === 'magic_link'

/** Checks that the digest is of what the page showed, and that it shows this purchase. */
async function checkShown({ findings }: Context, { display, display_digest: digest }: JsonObject): Promise<void> {
  if (!isJsonObject(display)) return findings.missing('approval', 'What the person was shown was left out.')
  findings.require('approval', digest === (await digestOf(display)), 'The digest is not of what the person was shown.')
  findings.fact('approval', 'amount', display['amount_minor'])
  findings.fact('approval', 'currency', display['currency'])
  findings.fact('approval', 'merchant', canonicalMerchant(display['merchant_origin']))
}

/**
 * Checks that the items of the approval and of the mandate are the same. Members that an item does not have were shown
 * as null.
 */
export function compareItems({ pack, findings }: Context): void {
  const { approval, payment } = pack
  const display = isJsonObject(approval) ? approval['display'] : undefined
  if (!isJsonObject(display) || !isJsonObject(payment) || !Array.isArray(payment['items'])) return
  const items = payment['items'].map((item: unknown) => {
    const { sku, title = null, qty, unit_price_minor = null } = isJsonObject(item) ? item : {}
    return { sku: sku ?? null, title, qty: qty ?? null, unit_price_minor }
  })
  const isSame = canonicalJson(items) === canonicalJson(display['items'] ?? null)
  findings.require('approval', isSame, 'The person was shown other items than were paid for.')
}

/**
 * Checks the passkey's signature. Its challenge covers the display, the request and the person, so that it confirms
 * nothing else.
 */
async function checkPasskey({ findings, issuer, pack }: Context, approval: JsonObject): Promise<void> {
  const display = isJsonObject(approval['display']) ? approval['display'] : {}
  const { items, ...rest } = display
  const itemsDigest = items === undefined ? {} : { items_digest: await digestOf(items) }
  const subject = { authorization_id: approval['authorization_id'] ?? null, ...rest, ...itemsDigest }
  const payment = pack['payment']
  const payer = isJsonObject(payment) && isJsonObject(payment['payer']) ? payment['payer'] : {}
  const principalId = payer['principal_id']
  if (principalId === undefined)
    return findings.missing('approval', 'The person was left out: whose passkey signed is not shown.')
  if (issuer === null) {
    return findings.missing('approval', 'The server was left out: for which one the passkey signed is not shown.')
  }
  const commitment = {
    purpose: 'consent.approve',
    principal_id: principalId,
    subject,
    nonce: approval['nonce'] ?? null,
  }
  const challenge = await digestOf(commitment)
  const isFor = findings.require('approval', approval['challenge'] === challenge, 'The passkey signed something else.')
  const fault = await findAssertionFault({
    authenticatorData: String(approval['authenticator_data']),
    clientDataJson: String(approval['client_data_json']),
    signature: String(approval['signature']),
    publicKey: String(approval['public_key']),
    challenge,
    origin: new URL(issuer).origin,
  })
  findings.require('approval', fault === null, `The passkey's signature does not hold: ${fault}.`)
  if (fault !== null || !isFor) return
  findings.proven('approval', 'A passkey signed exactly what the person was shown, after checking who used it.')
  findings.stated('approval', "By the server's records this passkey is the payer's.")
}
