import { clockTime } from '../clock-time.js'
import { approvalUrl, matchCode } from '../payment/approval.js'

/** The descriptions of wallet scopes, to follow "may". */
const purposes = {
  'wallet:read': 'see your agents',
  'wallet:write': 'change your wallet',
  'audit:read': 'see your payment history',
  'privacy:dsar': 'use your privacy rights',
} as const

/** A scope that a tool needs in the wallet of the person. */
export type WalletScope = keyof typeof purposes

/** The actions of `oid4ac_wallet` for each scope. @see {@link https://www.rfc-editor.org/rfc/rfc9396#section-2} */
export const actionOfScope = {
  'wallet:read': 'read',
  'wallet:write': 'write',
  'audit:read': 'audit',
  'privacy:dsar': 'dsar',
} as const satisfies Readonly<Record<WalletScope, string>>

/** A request for access, with the facts that the person sees. */
export interface AccessQuestion {
  readonly scope: WalletScope
  readonly url: string
  /** The two digits that the approval page shows too. */
  readonly matchCode: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Returns the facts of the request for access. */
export function describeAccess(
  scope: WalletScope,
  request: { readonly issuer: string; readonly requestUri: string; readonly expiresAt: number },
): AccessQuestion {
  const { issuer, requestUri, expiresAt } = request
  return { scope, url: approvalUrl(issuer, requestUri), matchCode: matchCode(requestUri), expiresAt }
}

/** Returns one line that asks the person to decide. */
export const accessRequest = ({ scope, url, matchCode: code }: AccessQuestion): string =>
  `Decide whether this agent may ${purposes[scope]} (${scope}): open ${url} — the page must show the code ${code}.`

/** Returns the note to the model while the person has not decided. */
export const undecidedNote = ({ scope, url, matchCode: code, expiresAt }: AccessQuestion): string =>
  `Not decided yet. Ask the user to open ${url} (valid until ${clockTime(expiresAt)}) and decide whether this agent may ` +
  `${purposes[scope]} (${scope}). The page must show the code ${code}. Then call again with the same arguments.`
