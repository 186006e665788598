import { createHash } from 'node:crypto'
import { clockTime } from '../clock-time.js'
import { sha256 } from '../crypto/keys.js'
import { formatAmount } from './money.js'
import type { Order } from './order.js'

/** An approval that waits, with the facts that the person sees. */
export interface Approval {
  readonly payee: string
  readonly amount: string
  readonly url: string
  /** The two digits that the approval page shows too, so that the person does not approve another purchase. */
  readonly matchCode: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

const HANDLE_CHARS = 22

/**
 * Returns the approval page of a request. Its address reveals nothing: it is a digest, and the page asks for sign-in.
 */
export const approvalUrl = (issuer: string, requestUri: string): string =>
  `${issuer}/approve/${sha256(`approve:${requestUri}`).slice(0, HANDLE_CHARS)}`

/** Returns the two digits that the approval page shows too. */
export function matchCode(requestUri: string): string {
  const digest = createHash('sha256').update(`match-code:${requestUri}`).digest()
  return String(digest.readUInt32BE(0) % 100).padStart(2, '0')
}

/** Returns the approval of an order that waits under this request. */
export function describeApproval(
  order: Order,
  request: { readonly issuer: string; readonly requestUri: string; readonly expiresAt: number },
): Approval {
  return {
    payee: order.merchant,
    amount: formatAmount(order.amountMinor, order.currency),
    url: approvalUrl(request.issuer, request.requestUri),
    matchCode: matchCode(request.requestUri),
    expiresAt: request.expiresAt,
  }
}

/** Returns one line that asks the person to decide. */
export const approvalRequest = ({ amount, payee, url, matchCode: code }: Approval): string =>
  `Approve ${amount} to ${payee}: open ${url} — the page must show the code ${code}.`

/** Returns the note to the model while the person has not decided. */
export function stepUpNote({ amount, payee, url, matchCode: code, expiresAt }: Approval): string {
  return (
    `Not paid yet. Ask the user to open ${url} (valid until ${clockTime(expiresAt)}) and decide on ${amount} to ${payee}. ` +
    `The page must show the code ${code}. Then call this tool again with the same arguments.`
  )
}

/** Returns the note to the model while the person has not confirmed the mailed link. */
export function confirmationNote(expiresAt: number): string {
  return (
    'Not paid yet. The user was sent an e-mail. Call this tool again with the same arguments, and ask the user to ' +
    `confirm in the mail while it waits (the link is valid until ${clockTime(expiresAt)}). No second mail is sent.`
  )
}

/** Returns the note to the model while the bank waits for its customer. */
export function cardholderNote(issuer: string): string {
  return (
    'Not paid yet. The user was asked by their bank to confirm this payment, and has been told; they find it on the ' +
    `first page of ${issuer}. Then call this tool again with the same arguments.`
  )
}

/** Returns the note to the model when it asks again for a purchase that is paid. */
export const alreadyPaidNote = (paidAt: number): string =>
  `Already paid at ${clockTime(paidAt)}; nothing was charged again. For a second one, wait a minute.`

/** Formats the remaining time as minutes and seconds. */
export function remainingTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
