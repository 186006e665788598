import { canonicalJson, sha256Base64url } from '../../base/protocol/encoding'
import type { AuthorizationDetail } from '../authorization/contract'

const digestOf = (items: unknown): string => sha256Base64url(canonicalJson(items))

/**
 * The short form of what an access token stands for: the line items by the SHA-256 of their canonical JSON (RFC 8785) and
 * by their number. A token travels in a header, which has no room for the items of a large purchase.
 */
export function shortDetails(details: readonly AuthorizationDetail[]): Record<string, unknown>[] {
  return details.map((detail) => {
    if (detail.type !== 'oid4ac_mandate') return { ...detail }
    const { line_items: items, ...rest } = detail
    return { ...rest, line_items_digest: digestOf(items), line_items_count: items.length }
  })
}

/** The details of an access token of this grant as they were granted, its line items whole. */
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
