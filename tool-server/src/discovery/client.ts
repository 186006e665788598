import { Refusal, TransportFailure } from '../errors.js'
import { isLoopbackUrl } from '../http/address-guard.js'
import { createOutbound, type OutboundReply, type SendRequest } from '../http/outbound.js'
import { describeRefusal, expectReply } from '../http/refusals.js'
import { MERCHANT_RESPONSE_MAX_BYTES, PREVIEW_MAX_ITEMS, RESPONSE_MAX_BYTES } from '../limits.js'
import { requireSignedFields } from './signed-fields.js'
import { type MerchantPage, merchantPage, type SignedCatalog, signedCatalog } from './wire.js'

/** The filter of the merchant directory. */
export interface MerchantQuery {
  readonly country?: string | undefined
  readonly currency?: string | undefined
  readonly rail?: string | undefined
  readonly q?: string | undefined
  readonly page?: number | undefined
  readonly page_size?: number | undefined
}

/** The error code for each status of the directory. */
const codeOfStatus: Readonly<Record<number, string>> = {
  400: 'invalid_filter',
  404: 'not_found',
  429: 'rate_limited',
  500: 'server_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
}

/**
 * The hint for each status of the directory. The directory's own text is left out, since it repeats that of merchants.
 */
const advice: Readonly<Record<number, string>> = {
  400: 'country is an ISO 3166-1 alpha-2 code and currency an ISO 4217 code, both in capitals.',
  404: 'Look for the merchant with discovery_list_merchants: it may have left the directory.',
  429: 'Wait before asking again.',
}

/** Reads the merchant directory. */
export class DiscoveryClient {
  readonly #baseUrl: string
  readonly #send: SendRequest

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
    this.#send = createOutbound({ allowLoopback: isLoopbackUrl(baseUrl), ownServer: baseUrl })
  }

  /** Returns a page of merchants; unverified ones are left out, even if the directory sends them. */
  async listMerchants(query: MerchantQuery, signal: AbortSignal): Promise<MerchantPage> {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
    const reply = await this.#get(`/merchants${search.size > 0 ? `?${search}` : ''}`, signal)
    const page = expectReply(reply, { step: '', schema: merchantPage })
    return { ...page, merchants: page.merchants.filter((entry) => entry.verification_status === 'verified') }
  }

  /** Returns the first page of a merchant's signed catalog. */
  async previewCatalog(merchantId: string, signal: AbortSignal): Promise<SignedCatalog> {
    if (/^\.{1,2}$/.test(merchantId)) throw new Refusal('', { status: 404, code: 'not_found' })
    const path = `/merchants/${encodeURIComponent(merchantId)}/catalog-preview`
    const reply = await this.#get(path, signal, MERCHANT_RESPONSE_MAX_BYTES)
    requireSignedFields(reply.json)
    const catalog = signedCatalog.safeParse(reply.json)
    if (!catalog.success) throw new TransportFailure('the catalog is malformed')
    return { ...catalog.data, items: catalog.data.items.slice(0, PREVIEW_MAX_ITEMS) }
  }

  async #get(path: string, signal: AbortSignal, maxBytes = RESPONSE_MAX_BYTES): Promise<OutboundReply> {
    const reply = await this.#send({ method: 'GET', url: this.#baseUrl + path, signal, maxBytes })
    if (reply.status === 200) return reply
    const { status, retryAfterMs } = describeRefusal(reply, false)
    throw new Refusal('', { status, code: codeOfStatus[status], description: advice[status], retryAfterMs })
  }
}
