/**
 * The Digital Credentials Query Language for SD-JWT VC: the schema of a query, and the match of presented credentials.
 * No package is used, because the common one takes a path such as `constructor` for a claim that every credential has.
 *
 * @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#section-6}
 */
import * as z from 'zod'
import { isJsonObject } from './encoding'
import { SD_JWT_MAX_DEPTH } from './lifetimes'

const TEXT_MAX_CHARS = 1_024
const CREDENTIALS_MAX = 16
const CLAIMS_MAX = 64
const LIST_MAX = 64

/** Letters, digits, underscore and hyphen (section 6.1). */
const queryId = z.string().regex(/^[\w-]{1,128}$/, { error: 'must be letters, digits, underscores and hyphens' })
const words = z.string().min(1).max(TEXT_MAX_CHARS)

const claimQuery = z.object({
  id: queryId.optional(),
  path: z
    .array(z.union([z.string().max(TEXT_MAX_CHARS), z.int().min(0), z.null()]))
    .min(1)
    .max(SD_JWT_MAX_DEPTH),
  values: z
    .array(z.union([z.string().max(TEXT_MAX_CHARS), z.int(), z.boolean()]))
    .min(1)
    .max(LIST_MAX)
    .optional(),
})

/**
 * A trusted authority (section 6.1.1). Only `aki`, the identifier of its key, is supported: queries for lists of ETSI
 * or for federations are refused, since a credential of any issuer would otherwise match.
 */
const trustedAuthority = z.object({ type: z.literal('aki'), values: z.array(words).min(1).max(LIST_MAX) })

const credentialQuery = z
  .object({
    id: queryId,
    format: z.literal('dc+sd-jwt'),
    multiple: z.boolean().optional(),
    meta: z.object({ vct_values: z.array(words).min(1).max(LIST_MAX) }),
    trusted_authorities: z.array(trustedAuthority).min(1).max(LIST_MAX).optional(),
    // Presentations without key binding are never accepted, so a query must not allow them.
    require_cryptographic_holder_binding: z.literal(true, { error: 'must not be false' }).optional(),
    claims: z.array(claimQuery).min(1).max(CLAIMS_MAX).optional(),
    claim_sets: z.array(z.array(queryId).min(1).max(CLAIMS_MAX)).min(1).max(LIST_MAX).optional(),
  })
  .superRefine(({ claims = [], claim_sets: sets }, context) => {
    const ids = claims.map(({ id }) => id)
    refuseRepeated(ids, (index, message) =>
      context.addIssue({ code: 'custom', path: ['claims', index, 'id'], message }),
    )
    if (sets === undefined) return
    // Section 6.1: sets of claims refer to claims by id, so each claim then needs one.
    const nameless = ids.indexOf(undefined)
    if (claims.length === 0) {
      context.addIssue({ code: 'custom', path: ['claim_sets'], message: 'needs claims to choose among' })
    } else if (nameless >= 0) {
      context.addIssue({ code: 'custom', path: ['claims', nameless, 'id'], message: 'is required beside claim_sets' })
    }
    refuseUnknown(sets, { known: ids, report: (path) => addUnknown(context, ['claim_sets', ...path]) })
  })

const credentialSet = z.object({
  options: z.array(z.array(queryId).min(1).max(CREDENTIALS_MAX)).min(1).max(LIST_MAX),
  required: z.boolean().optional(),
})

/** A DCQL query for SD-JWT VCs; unknown members are dropped. */
export const dcqlQuery = z
  .object({
    credentials: z.array(credentialQuery).min(1).max(CREDENTIALS_MAX),
    credential_sets: z.array(credentialSet).min(1).max(LIST_MAX).optional(),
  })
  .superRefine(({ credentials, credential_sets: sets = [] }, context) => {
    const ids = credentials.map(({ id }) => id)
    refuseRepeated(ids, (index, message) =>
      context.addIssue({ code: 'custom', path: ['credentials', index, 'id'], message }),
    )
    for (const [index, { options }] of sets.entries()) {
      refuseUnknown(options, {
        known: ids,
        report: (path) => addUnknown(context, ['credential_sets', index, 'options', ...path]),
      })
    }
  })
  .meta({ id: 'DcqlQuery' })

export type DcqlQuery = z.output<typeof dcqlQuery>
type CredentialQuery = DcqlQuery['credentials'][number]
type ClaimQuery = z.output<typeof claimQuery>

function refuseRepeated(ids: readonly (string | undefined)[], report: (index: number, message: string) => void): void {
  for (const [index, id] of ids.entries()) {
    if (id !== undefined && ids.indexOf(id) < index) report(index, 'names another entry too')
  }
}

interface Names {
  readonly known: readonly (string | undefined)[]
  readonly report: (path: readonly number[]) => void
}

function refuseUnknown(sets: readonly (readonly string[])[], { known, report }: Names): void {
  for (const [index, set] of sets.entries()) {
    for (const [place, id] of set.entries()) if (!known.includes(id)) report([index, place])
  }
}

function addUnknown(context: z.RefinementCtx, path: (string | number)[]): void {
  context.addIssue({ code: 'custom', path, message: 'names no entry of the query' })
}

/** Returns the key ids of authorities, one of which must have certified the issuer's key; null when any may. */
export function findAuthorityKeyIds({ credentials }: DcqlQuery, id: string | undefined): readonly string[] | null {
  const authorities = credentials.find((credential) => credential.id === id)?.trusted_authorities
  return authorities?.flatMap(({ values }) => values) ?? null
}

/** A verified credential that was presented for one credential query. */
export interface PresentedCredential {
  /** The id of the credential query that it answers. */
  readonly id: string
  readonly vct: string
  /** The processed payload. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Returns why presented credentials do not satisfy the query; null when they do (section 8.6). */
export function findDcqlMismatch(query: DcqlQuery, presented: readonly PresentedCredential[]): string | null {
  const asked = new Map(query.credentials.map((credential) => [credential.id, credential]))
  const counts = new Map<string, number>()
  for (const credential of presented) {
    const wanted = asked.get(credential.id)
    if (wanted === undefined) return 'The answer names a credential query that was not sent'
    const count = (counts.get(credential.id) ?? 0) + 1
    if (count > 1 && wanted.multiple !== true) return 'There is more than one presentation for a query without multiple'
    counts.set(credential.id, count)
    if (!fitsQuery(wanted, credential)) return 'A presented credential is not what its query asks for'
  }
  return isComplete(query, counts) ? null : 'The presented credentials do not answer the whole query'
}

function fitsQuery({ meta, claims, claim_sets: sets }: CredentialQuery, presented: PresentedCredential): boolean {
  if (!meta.vct_values.includes(presented.vct)) return false
  if (claims === undefined) return true
  if (sets === undefined) return claims.every((claim) => fitsClaim(claim, presented.claims))
  const met = new Set(claims.filter((claim) => fitsClaim(claim, presented.claims)).map(({ id }) => id))
  return sets.some((set) => set.every((id) => met.has(id)))
}

/** Whether the claim is present and, if values are given, a selected element has one of them (section 6.4.1). */
function fitsClaim({ path, values }: ClaimQuery, payload: PresentedCredential['claims']): boolean {
  const selected = selectElements(payload, path)
  if (values === undefined) return selected.length > 0
  return selected.some((element) => values.some((value) => value === element))
}

/** Processes a claims path pointer (section 7.1); returns an empty list also for its errors. */
function selectElements(payload: unknown, path: ClaimQuery['path']): readonly unknown[] {
  let selected: readonly unknown[] = [payload]
  for (const component of path) selected = stepInto(selected, component)
  return selected
}

function stepInto(selected: readonly unknown[], component: ClaimQuery['path'][number]): readonly unknown[] {
  if (typeof component === 'string') {
    if (!selected.every(isJsonObject)) return []
    return selected.flatMap((element) => (Object.hasOwn(element, component) ? [element[component]] : []))
  }
  if (!selected.every((element): element is unknown[] => Array.isArray(element))) return []
  if (component === null) return selected.flat()
  return selected.flatMap((element) => (component < element.length ? [element[component]] : []))
}

/** Whether every query is answered or, with sets, one option of each required set (section 6.4.2). */
function isComplete({ credentials, credential_sets: sets }: DcqlQuery, answered: ReadonlyMap<string, number>): boolean {
  if (sets === undefined) return credentials.every(({ id }) => answered.has(id))
  return sets
    .filter(({ required = true }) => required)
    .every(({ options }) => options.some((option) => option.every((id) => answered.has(id))))
}
