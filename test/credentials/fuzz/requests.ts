/** What a backend asks for, and what a wallet sends for the request object, with something wrong. */
import { isDeepStrictEqual } from 'node:util'
import { decodeRequestObject } from '@/scripts/wallet/request-object'
import type { Random } from '../../faults/random'
import { type Answer, exchange, must } from '../../support/actors'
import type { App } from '../../support/app'
import { REGION, VCT } from '../verifier'
import { fetchRequest } from '../wallet'
import { judge, type Kind } from './fuzz'
import { changeText, isWithin, spoil, spoilDeep, truncate } from './mutate'

interface Created {
  readonly request_uri: string
  readonly deep_link: string
}

const BODY_MEMBERS = ['dcql_query', 'transaction_data', 'response_mode', 'jkt', 'region', '__proto__']

/** A request for anything of the type. */
export const honestRequest = {
  dcql_query: { credentials: [{ id: 'q', format: 'dc+sd-jwt', meta: { vct_values: [VCT] } }] },
  region: REGION,
}

const elaborateRequest = {
  dcql_query: {
    credentials: [
      {
        ...honestRequest.dcql_query.credentials[0],
        multiple: true,
        require_cryptographic_holder_binding: true,
        trusted_authorities: [{ type: 'aki', values: ['x'] }],
        claims: [
          { id: 'a', path: ['given_name'], values: ['Ada'] },
          { id: 'b', path: ['address', null, 0] },
        ],
        claim_sets: [['a', 'b'], ['a']],
      },
    ],
    credential_sets: [{ options: [['q']], required: true }],
  },
  transaction_data: { offer_digest: 'x', amount_minor: 1, currency: 'EUR', merchant: 'm', mandate_ref: 'r' },
  response_mode: 'direct_post.jwt',
  jkt: 'x'.repeat(43),
  region: REGION,
}

export function createRequest(app: App, body: unknown): Promise<Answer<Created>> {
  return exchange<Created>(`${app.baseUrl}/eudiw/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** POST /eudiw/request. */
export const queries: Kind = async ({ app }) => {
  return async (random) => {
    const mutated = random.chance(0.8)
      ? spoilDeep(random, elaborateRequest)
      : spoil(random, elaborateRequest, BODY_MEMBERS)
    const sent = random.chance(0.05) ? changeText(random, JSON.stringify(elaborateRequest)) : mutated
    const answer = await createRequest(app, sent)
    const whyWrong = async () => {
      const { claims } = await fetchRequest(answer.json.deep_link)
      const asked = typeof sent === 'string' ? (JSON.parse(sent) as unknown) : sent
      return isWithin({ dcql_query: claims['dcql_query'] }, asked) ? null : 'a query that was not sent'
    }
    return judge(answer, { sent, whyWrong })
  }
}

const WALLET = {
  wallet_nonce: 'nonce-of-the-wallet',
  wallet_metadata: {
    vp_formats_supported: { 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'] } },
    client_id_prefixes_supported: ['x509_hash'],
    request_object_signing_alg_values_supported: ['ES256'],
  },
}
const WALLET_MEMBERS = [...Object.keys(WALLET), 'client_name', '__proto__']
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

interface SentRequest {
  readonly type: string
  readonly text: string
  /** Undefined when it cannot be read. */
  readonly nonce: unknown
}

function fromWallet(random: Random): SentRequest {
  const mutated = (
    random.chance(0.5) ? spoilDeep(random, WALLET) : spoil(random, WALLET, WALLET_MEMBERS)
  ) as typeof WALLET
  if (random.chance(0.5)) {
    const text = random.chance(0.2) ? changeText(random, JSON.stringify(mutated)) : JSON.stringify(mutated)
    return { type: JSON_TYPE, text, nonce: parsed(text)?.wallet_nonce }
  }
  const entries = Object.entries(mutated ?? {}).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const form = new URLSearchParams([...entries, ...(random.chance(0.1) ? entries.slice(0, 1) : [])]).toString()
  const text = random.chance(0.2) ? random.pick([changeText, truncate])(random, form) : form
  return { type: FORM_TYPE, text, nonce: new URLSearchParams(text).get('wallet_nonce') ?? undefined }
}

function parsed(text: string): { wallet_nonce?: unknown } | null {
  try {
    return JSON.parse(text) as { wallet_nonce?: unknown } | null
  } catch {
    return null
  }
}

/** POST /eudiw/request/{request_id}. What is signed is the same for all, but for the nonce of the wallet and the time. */
export const requestObjects: Kind = async ({ app }) => {
  const { request_uri: uri, deep_link: link } = must(await createRequest(app, honestRequest), 200)
  const honest = (await fetchRequest(link)).claims
  return async (random) => {
    const { type, text, nonce } = fromWallet(random)
    const answer = await exchange(uri, { method: 'POST', headers: { 'content-type': type }, body: text })
    const whyWrong = async () => {
      const { iat: _iat, exp: _exp, wallet_nonce: echoed, ...rest } = (await decodeRequestObject(answer.text)).claims
      const { iat: _honestIat, exp: _honestExp, ...said } = honest
      if (!isDeepStrictEqual(rest, said)) return 'another request than was made'
      return isDeepStrictEqual(echoed, nonce) ? null : 'another nonce than the wallet sent'
    }
    return judge(answer, { sent: { type, text }, whyWrong })
  }
}
