import { CompactEncrypt, importJWK } from 'jose'
import { parseUrl } from '@/server/base/core/parse-url'
import { CommandError, readJson, sendRequest, UsageError } from '../operator-client'
import type { Holder } from './holder'
import { type RequestClaims, verifyRequestObject } from './request-object'
import { decodeSdJwt, presentSdJwt } from './sd-jwt'

type Dcql = RequestClaims['dcql_query']
type CredentialQuery = Dcql['credentials'][number]

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Answers a presentation request with the requested credentials. Returns what was shown to whom, in words. */
export async function answerRequest(
  holder: Holder,
  link: string,
  { declines }: { readonly declines: boolean },
): Promise<string> {
  const request = await fetchRequest(link)
  if (declines) {
    await sendResponse(request, { error: 'access_denied', state: request.state })
    return `Declined what ${request.client_id} asked for.`
  }
  const chosen = chooseQueries(holder, request.dcql_query).map((query) => ({
    query,
    credential: choose(holder, query),
  }))
  const ids = chosen.map(({ query }) => query.id)
  const presented = await Promise.all(
    chosen.map(async ({ query, credential }) => [
      query.id,
      [
        await presentSdJwt(credential, holder.key, {
          paths: (query.claims ?? []).map(({ path }) => path),
          audience: request.client_id,
          nonce: request.nonce,
          transactionData: (request.transaction_data ?? []).filter((data) => findSigner(data, ids) === query.id),
        }),
      ],
    ]),
  )
  await sendResponse(request, { vp_token: Object.fromEntries(presented), state: request.state })
  const claims = chosen.flatMap(({ query }) => (query.claims ?? []).map(({ path }) => path.join('.')))
  return `Showed ${claims.join(', ') || 'no claims'} to ${request.client_id}.`
}

/** Fetches the request object, signed by the certificate whose hash the link names. */
async function fetchRequest(link: string): Promise<RequestClaims> {
  const parameters = parseUrl(link)?.searchParams
  const [clientId, uri] = [parameters?.get('client_id'), parameters?.get('request_uri')]
  if (!clientId || !uri) throw new UsageError('The link is no presentation request.')
  const answer = await sendRequest(uri, { method: 'POST', headers: FORM, body: '' })
  if (!answer.ok) await readJson(answer)
  return (await verifyRequestObject(await answer.text(), clientId)).claims
}

/**
 * Returns the queries to answer: of each required set the first option that this wallet can answer, else its first one.
 * Optional sets are left out.
 */
function chooseQueries(holder: Holder, { credentials, credential_sets: sets }: Dcql): readonly CredentialQuery[] {
  if (sets === undefined) return credentials
  const wanted = sets.filter(({ required = true }) => required).map(({ options }) => options)
  const isHeld = (id: string) => credentials.some((query) => query.id === id && findNewest(holder, query) !== undefined)
  const ids = wanted.flatMap((options) => options.find((option) => option.every(isHeld)) ?? options[0] ?? [])
  return credentials.filter(({ id }) => ids.includes(id))
}

function findNewest({ credentials }: Holder, { meta, claims = [] }: CredentialQuery): string | undefined {
  const fits = credentials.filter((credential) => {
    const { payload, claims: own } = decodeSdJwt(credential)
    return meta.vct_values.includes(String(payload['vct'])) && claims.every(({ path }) => hasPath(own, path))
  })
  return fits.at(-1)
}

function choose(holder: Holder, query: CredentialQuery): string {
  const newest = findNewest(holder, query)
  if (newest === undefined) {
    throw new CommandError(`This wallet has no credential of ${query.meta.vct_values.join(' or ')} with these claims.`)
  }
  return newest
}

function hasPath(value: unknown, [first, ...rest]: readonly unknown[]): boolean {
  if (first === undefined) return true
  if (Array.isArray(value)) return value.length > 0
  if (typeof value !== 'object' || value === null) return false
  const found = Object.entries(value).find(([name]) => name === first)?.[1] as unknown
  return found !== undefined && hasPath(found, rest)
}

/** Returns the answered query whose credential signs the transaction data; only one may (OpenID4VP section 5.1). */
function findSigner(transactionData: string, answered: readonly string[]): string | undefined {
  const { credential_ids: ids } = JSON.parse(Buffer.from(transactionData, 'base64url').toString()) as {
    credential_ids: readonly string[]
  }
  return answered.find((id) => ids.includes(id))
}

async function sendResponse(request: RequestClaims, response: Readonly<Record<string, unknown>>): Promise<void> {
  const isEncrypted = request.response_mode === 'direct_post.jwt' && response['error'] === undefined
  const form = isEncrypted ? { response: await encrypt(request, response) } : toForm(response)
  const body = new URLSearchParams(form).toString()
  await readJson(await sendRequest(request.response_uri, { method: 'POST', headers: FORM, body }))
}

const toForm = (response: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(response).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

async function encrypt({ client_metadata: metadata }: RequestClaims, response: object): Promise<string> {
  const key = metadata?.jwks?.keys[0]
  if (key === undefined) throw new CommandError('The request names no key to encrypt to.')
  return new CompactEncrypt(Buffer.from(JSON.stringify(response)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: String(key.kid) })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}
