import { clockTime } from '../clock-time.js'
import { approvalUrl, matchCode } from '../payment/approval.js'

/** What each scope of a wallet lets an agent do, after "may". */
const purposes = {
  'wallet:read': 'see your agents',
  'wallet:write': 'change your wallet',
  'audit:read': 'see your payment history',
  'privacy:dsar': 'use your privacy rights',
} as const

/** A scope that a tool needs in the wallet of the person. */
export type WalletScope = keyof typeof purposes

/** The actions of `oid4ac_wallet` that stand for the scopes. @see {@link https://www.rfc-editor.org/rfc/rfc9396#section-2} */
export const actionOfScope = {
  'wallet:read': 'read',
  'wallet:write': 'write',
  'audit:read': 'audit',
  'privacy:dsar': 'dsar',
} as const satisfies Readonly<Record<WalletScope, string>>

/** A question for access, as the person is shown it. */
export interface AccessQuestion {
  readonly scope: WalletScope
  readonly url: string
  /** The approval page shows the same two digits. */
  readonly matchCode: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The question that waits under this request. */
export function describeAccess(
  scope: WalletScope,
  request: { readonly issuer: string; readonly requestUri: string; readonly expiresAt: number },
): AccessQuestion {
  const { issuer, requestUri, expiresAt } = request
  return { scope, url: approvalUrl(issuer, requestUri), matchCode: matchCode(requestUri), expiresAt }
}

/** One line that asks the person to decide. */
export const accessRequest = ({ scope, url, matchCode: code }: AccessQuestion): string =>
  `Decide whether this agent may ${purposes[scope]} (${scope}): open ${url} — the page must show the code ${code}.`

/** What a model is told when nobody has decided yet. */
export const undecidedNote = ({ scope, url, matchCode: code, expiresAt }: AccessQuestion): string =>
  `Not decided yet. Ask the user to open ${url} (valid until ${clockTime(expiresAt)}) and decide whether this agent may ` +
  `${purposes[scope]} (${scope}). The page must show the code ${code}. Then call again with the same arguments.`
