/**
 * A second resolver, written from the text of OpenID Federation 1.0 alone and without regard to speed: it walks every path
 * from the subject to the anchor and judges each by itself. It reads documents, never how they were made, and shares
 * nothing with the server.
 */
import { createPublicKey, verify } from 'node:crypto'
import { applyNaively, type Json, mergeNaively, Unmet } from './naive-policy'

/** What addresses answer; one that is missing cannot be reached. */
export type Network = ReadonlyMap<
  string,
  { readonly status: number; readonly mediaType: string; readonly body: string }
>

/** What the anchor says of an active subordinate: the claims of its statement. */
export type Registry = ReadonlyMap<string, Json>

export interface Question {
  readonly network: Network
  readonly registry: Registry
  readonly anchorId: string
  readonly nowSeconds: number
}

type Code = 'invalid_subject' | 'invalid_trust_chain' | 'invalid_metadata'

/** What may be answered: the shortest chains that are valid, or the faults of the paths that are not. */
export type Verdict =
  | { readonly resolved: readonly Json[]; readonly chainLength: number; readonly fetches: number }
  | { readonly codes: readonly Code[]; readonly fetches: number }

const INTERMEDIATES_MAX = 4
const HINTS_MAX = 8
const SKEW_SECONDS = 60
const TYPE = 'application/entity-statement+jwt'

class Broken extends Error {}
const demand = (holds: boolean, section: string): void => {
  if (!holds) throw new Broken(section)
}

interface Document {
  readonly header: Json
  readonly claims: Json
  readonly input: string
  readonly signature: Buffer
}

function read(body: string | undefined): Document | null {
  const [header = '', claims = '', signature = '', ...rest] = (body ?? '').split('.')
  if (rest.length > 0 || signature === '') return null
  try {
    const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json
    const input = `${header}.${claims}`
    return { header: parse(header), claims: parse(claims), input, signature: Buffer.from(signature, 'base64url') }
  } catch {
    return null
  }
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** Judges a subject. */
export function resolveNaively(question: Question, subject: string): Verdict {
  const fetched = new Set<string>()
  const get = (url: string): Document | null => {
    fetched.add(url)
    const answer = question.network.get(url)
    return answer?.status === 200 && answer.mediaType === TYPE ? read(answer.body) : null
  }
  const configurationOf = (id: string) => get(`${id}/.well-known/openid-federation`)
  const hintsOf = (id: string): string[] => {
    const hints = configurationOf(id)?.claims['authority_hints']
    return Array.isArray(hints) ? hints.slice(0, HINTS_MAX).filter((hint) => typeof hint === 'string') : []
  }
  const paths: string[][] = []
  const walk = (path: readonly string[]): void => {
    const end = path.at(-1) ?? ''
    if (path.length - 1 > INTERMEDIATES_MAX) return
    if (question.registry.has(end)) paths.push([...path])
    for (const hint of hintsOf(end)) {
      // Section 17.1: no entity twice.
      if (hint !== question.anchorId && !path.includes(hint)) walk([...path, hint])
    }
  }
  walk([subject])
  const codes = new Set<Code>()
  const resolved: { readonly length: number; readonly metadata: Json }[] = []
  for (const path of paths) {
    try {
      resolved.push({ length: path.length + 2, metadata: judge({ question, path, get, configurationOf }) })
    } catch (error) {
      if (error instanceof Broken) codes.add('invalid_trust_chain')
      else if (error instanceof Unmet) codes.add('invalid_metadata')
      else throw error
    }
  }
  const fetches = fetched.size
  if (resolved.length > 0) {
    const chainLength = Math.min(...resolved.map(({ length }) => length))
    const shortest = resolved.filter(({ length }) => length === chainLength)
    return { resolved: shortest.map(({ metadata }) => metadata), chainLength, fetches }
  }
  return { codes: codes.size === 0 ? ['invalid_subject'] : [...codes], fetches }
}

interface Path {
  readonly question: Question
  readonly path: readonly string[]
  readonly get: (url: string) => Document | null
  readonly configurationOf: (id: string) => Document | null
}

/** Section 10.2 for one path; gives the metadata of section 6.1.4.2. */
function judge({ question, path, get, configurationOf }: Path): Json {
  const { registry, anchorId, nowSeconds } = question
  const top = path.length - 1
  const configurations = path.map((id) => required(configurationOf(id)))
  const documents = path.slice(0, top).map((id, index) => {
    const endpoint = fetchEndpointOf(configurations[index + 1])
    return required(get(`${endpoint}?sub=${encodeURIComponent(id)}`))
  })
  const statements = [...documents.map(({ claims }) => claims), registry.get(path[top] ?? '') ?? {}]
  for (const [index, own] of configurations.entries()) {
    const id = path[index] ?? ''
    checkClaims(own, { iss: id, sub: id, now: nowSeconds })
    checkSignature(own, own.claims['jwks'])
    checkSignature(own, statements[index]?.['jwks'])
  }
  for (const [index, document] of documents.entries()) {
    checkClaims(document, { iss: path[index + 1] ?? '', sub: path[index] ?? '', now: nowSeconds })
    checkSignature(document, statements[index + 1]?.['jwks'])
  }
  checkNamesAnchor(configurations[top], anchorId)
  checkConstraints(path, statements)
  return metadataOf(objectOf(configurations[0]?.claims['metadata']), statements)
}

function checkNamesAnchor(configuration: Document | undefined, anchorId: string): void {
  const hints = configuration?.claims['authority_hints']
  demand(Array.isArray(hints) && hints.includes(anchorId), '3.1.2: the subordinate does not name the anchor')
}

function fetchEndpointOf(configuration: Document | undefined): string {
  const metadata = objectOf(configuration?.claims['metadata'])
  return String(objectOf(metadata['federation_entity'])['federation_fetch_endpoint'])
}

function required(document: Document | null): Document {
  if (document === null) throw new Broken('8.1, 9: a statement cannot be had')
  return document
}

interface Expected {
  readonly iss: string
  readonly sub: string
  readonly now: number
}

/** Section 3.2. */
function checkClaims({ header, claims }: Document, { iss, sub, now }: Expected): void {
  demand(header['typ'] === 'entity-statement+jwt', '3.2: typ')
  demand(['EdDSA', 'Ed25519', 'ES256'].includes(String(header['alg'])), '3.2: alg')
  demand(typeof header['kid'] === 'string' && header['kid'] !== '', '3.2: kid')
  demand(header['crit'] === undefined, 'RFC 7515 4.1.11: crit')
  demand(claims['iss'] === iss && claims['sub'] === sub, '3.1: iss and sub')
  const { iat, exp } = claims
  demand(typeof iat === 'number' && iat <= now + SKEW_SECONDS, '3.1: iat')
  demand(typeof exp === 'number' && exp > now - SKEW_SECONDS, '3.1: exp')
  demand(claims['crit'] === undefined, '3.1.1: crit names what is not known')
  demand(claims['metadata_policy_crit'] === undefined, '6.1.3.2: metadata_policy_crit names what is not known')
  const superiors = ['metadata_policy', 'constraints', 'source_endpoint']
  const owners = ['authority_hints', 'trust_marks', 'trust_mark_issuers', 'trust_mark_owners']
  for (const name of iss === sub ? superiors : owners) demand(!Object.hasOwn(claims, name), `3.1: ${name}`)
}

/** The key that the header names, and its signature (section 10.2). */
function checkSignature({ header, input, signature }: Document, jwks: unknown): void {
  const { keys } = objectOf(jwks)
  if (!Array.isArray(keys)) throw new Broken('3.1: jwks')
  const kids = keys.map((key) => objectOf(key)['kid'])
  demand(new Set(kids).size === kids.length && kids.every((kid) => typeof kid === 'string'), '3.1: kids of jwks')
  const key: unknown = keys.find((one) => objectOf(one)['kid'] === header['kid'])
  if (key === undefined) throw new Broken('10.2: the kid is not attested')
  const publicKey = createPublicKey({ key: key as never, format: 'jwk' })
  const isEcdsa = publicKey.asymmetricKeyType === 'ec'
  demand((header['alg'] === 'ES256') === isEcdsa, '10.2: alg and key')
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  demand(verify(isEcdsa ? 'sha256' : null, Buffer.from(input), options, signature), '10.2: signature')
}

/** Section 6.2: the constraints of each statement against everything below its issuer. */
function checkConstraints(path: readonly string[], statements: readonly Json[]): void {
  for (const [index, { constraints }] of statements.entries()) {
    if (constraints === undefined) continue
    const { max_path_length: longest, naming_constraints: naming } = objectOf(constraints)
    if (longest !== undefined) {
      demand(Number.isInteger(longest) && Number(longest) >= 0, '6.2.1: max_path_length')
      demand(index <= Number(longest), '6.2.1: the path is too long')
    }
    const { permitted, excluded } = objectOf(naming)
    for (const id of path.slice(0, index + 1)) {
      const host = new URL(id).hostname
      const covers = (name: unknown) =>
        String(name).startsWith('.') ? host.endsWith(String(name)) && host !== name : host === name
      if (Array.isArray(excluded)) demand(!excluded.some(covers), '6.2.2: excluded')
      if (Array.isArray(permitted)) demand(permitted.some(covers), '6.2.2: permitted')
    }
  }
}

/** The subject's metadata, what its superior overrides, the types that are allowed, and all policies, in this order. */
function metadataOf(own: Json, statements: readonly Json[]): Json {
  const above = objectOf(statements[0]?.['metadata'])
  const policies = statements.map(({ metadata_policy: policy }) => objectOf(policy) as never).toReversed()
  const merged = mergeNaively(policies)
  const result: Json = {}
  for (const [type, metadata] of Object.entries(own)) {
    const isAllowed = statements.every(({ constraints }) => {
      const allowed = objectOf(constraints)['allowed_entity_types']
      return !Array.isArray(allowed) || allowed.includes(type)
    })
    // Section 6.2.3.
    if (!isAllowed && type !== 'federation_entity') continue
    result[type] = applyNaively({ ...objectOf(metadata), ...objectOf(above[type]) }, merged[type] ?? {})
  }
  return result
}
