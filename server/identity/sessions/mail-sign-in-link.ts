import * as z from 'zod'
import type { Platform, Sealer } from '../../base/core/platform'
import type { SealedColumn } from '../../base/platform/keys/reseal'
import { sha256Base64url } from '../../base/protocol/encoding'
import { findWords, queueMessage } from '../../shared/notifications'
import { findPrincipalByEmail, PORTAL_TENANT_ID } from '../../shared/principals'
import { CONFIRM_PATH } from './contract'
import {
  answerSignInRequest,
  deleteSignInRequest,
  listSealedAddresses,
  lockUnmailedRequest,
  replaceSealedAddress,
} from './sign-in-request-store'

/** The kind of job that finds the person of a sign-in request and mails the link. */
export const MAIL_SIGN_IN_LINK = 'mail_sign_in_link'

const payloadSchema = z.strictObject({ request_id: z.string() })
export type MailSignInLinkPayload = z.input<typeof payloadSchema>

export const linkJobKey = (requestId: string): string => `sign-in-link:${requestId}`

const contextOf = (requestId: string) => `sign-in-request:${requestId}`

export function sealAddress(sealer: Sealer, requestId: string, email: string): string {
  return sealer.seal(Buffer.from(email), contextOf(requestId))
}

export function openAddress(sealer: Sealer, requestId: string, sealed: string): string {
  return sealer.open(sealed, contextOf(requestId)).toString()
}

/** The addresses to which links are still to be mailed. */
export const sealedSignInAddresses: SealedColumn = {
  what: 'addresses of sign-in requests',
  contextOf,
  list: listSealedAddresses,
  replace: replaceSealedAddress,
}

/** Mails the link of one sign-in request; a request with an address that no person has is deleted. Safe to repeat. */
export async function mailSignInLink(platform: Platform, payload: unknown): Promise<void> {
  const { request_id: id } = payloadSchema.parse(payload)
  const now = platform.clock.now()
  await platform.db.transaction(async (tx) => {
    const sealed = await lockUnmailedRequest(tx, { id, now })
    if (sealed === null) return
    const email = openAddress(platform.sealer, id, sealed)
    const person = await findPrincipalByEmail(tx, PORTAL_TENANT_ID, email)
    if (person === null) {
      await deleteSignInRequest(tx, id)
      return
    }
    const token = platform.random.token(32)
    await answerSignInRequest(tx, id, { principalId: person.id, tokenHash: sha256Base64url(token) })
    const link = `${platform.config.baseUrl}${CONFIRM_PATH}#token=${token}`
    const call = { platform, now }
    const { signIn } = (await findWords(tx, person.id)).account
    queueMessage(tx, call, {
      eventKey: `sign-in:${id}`,
      principalId: person.id,
      channel: 'email',
      recipient: person.email,
      subject: signIn.subject,
      text: signIn.text(link),
      links: [link],
    })
  })
}
