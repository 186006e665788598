import * as z from 'zod'
import { type StoreKey, storeKey } from '../crypto/message-signature.js'
import { TransportFailure } from '../errors.js'
import { isLoopbackUrl } from '../http/address-guard.js'
import { createOutbound } from '../http/outbound.js'
import { MERCHANT_RESPONSE_MAX_BYTES } from '../limits.js'

/** The merchant whose keys are looked up, and where. */
export interface KeySearch {
  /** The merchant's audience URL. */
  readonly merchant: string
  /** The authorization server, which knows the keys of merchants that its federation has verified. */
  readonly issuer: string
  readonly signal: AbortSignal
}

const PATH = '/federation/merchant-keys'
/** The statuses for a merchant that the federation does not know, and for a server without a federation. */
const NOT_VOUCHED = [404, 503]

/** A key set, reduced to the keys of supported types. @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-5} */
export const keySet = z
  .object({ keys: z.array(z.unknown()) })
  .transform(({ keys }): StoreKey[] => keys.flatMap((key) => storeKey.safeParse(key).data ?? []))

/**
 * Returns the keys of a merchant from the federation of the authorization server, whatever the merchant itself says;
 * none while it is not verified. Null for a merchant that the federation does not know.
 * @throws {TransportFailure} when the authorization server gives no usable response
 */
export async function readVouchedKeys({ merchant, issuer, signal }: KeySearch): Promise<StoreKey[] | null> {
  const send = createOutbound({ allowLoopback: isLoopbackUrl(issuer), ownServer: issuer })
  const url = `${issuer.replace(/\/+$/, '')}${PATH}?merchant=${encodeURIComponent(merchant)}`
  const { status, json } = await send({ method: 'GET', url, signal, maxBytes: MERCHANT_RESPONSE_MAX_BYTES })
  if (NOT_VOUCHED.includes(status)) return null
  const parsed = keySet.safeParse(json)
  if (status !== 200 || !parsed.success) throw new TransportFailure('the keys of the merchant cannot be read')
  return parsed.data
}
