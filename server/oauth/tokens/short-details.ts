import { canonicalJson, sha256Base64url } from '../../base/protocol/encoding'
import type { AuthorizationDetail } from '../authorization/contract'

const digestOf = (items: unknown): string => sha256Base64url(canonicalJson(items))

/**
 * Returns the short form of an access token's details: the SHA-256 of the line items' canonical JSON (RFC 8785) and
 * their number. Tokens are sent in a header, which is too small for the items of a large purchase.
 */
export function shortDetails(details: readonly AuthorizationDetail[]): Record<string, unknown>[] {
  return details.map((detail) => {
    if (detail.type !== 'oid4ac_mandate') return { ...detail }
    const { line_items: items, ...rest } = detail
    return { ...rest, line_items_digest: digestOf(items), line_items_count: items.length }
  })
}

/** Returns the granted details of an access token of this grant, with complete line items. */
export function wholeDetails(
  claimed: readonly Readonly<Record<string, unknown>>[],
  granted: readonly AuthorizationDetail[],
): Record<string, unknown>[] {
  return claimed.map((detail) => {
    const { line_items_digest: digest, line_items_count: _, ...rest } = detail
    const whole = digest === undefined ? undefined : granted.find((one) => isPurchaseOf(one, digest))
    return { ...(whole ?? rest) }
  })
}

function isPurchaseOf(detail: AuthorizationDetail, digest: unknown): boolean {
  return detail.type === 'oid4ac_mandate' && digestOf(detail.line_items) === digest
}
