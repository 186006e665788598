import { decodeJwt } from 'jose'
import type { AnonymousCall } from '@/server/base/core/call'
import { ServiceError } from '@/server/base/core/errors'
import { OutboundFailure } from '@/server/base/core/outbound-failure'
import type { Outbound } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'
import { insertSubordinate, type SubordinateRow } from '@/server/credentials/federation'
import { resolveEntity } from '@/server/credentials/federation/resolve-entity'
import type { App } from '../support/app'
import { inAnyOrder } from './in-any-order'
import type { Json } from './naive-policy'
import { type Network, resolveNaively, type Verdict } from './naive-resolver'
import { type Enrolment, newRandomFederation, type RandomFederation } from './random-federation'

const FETCHES_MAX = 32

interface Campaign {
  readonly count: number
  readonly seed: number
}

export interface Outcome {
  /** How many subjects were judged how. */
  readonly tally: Readonly<Record<string, number>>
  /** Where the server and the naive resolver differ. */
  readonly differences: readonly string[]
}

/**
 * Has random federations judged by the server, whose network is replaced by documents in memory, and by the naive
 * resolver: three entities of each as subjects.
 */
export async function judgeFederations(app: App, { count, seed }: Campaign): Promise<Outcome> {
  const tally: Record<string, number> = {}
  const differences: string[] = []
  for (let index = 0; index < count; index += 1) {
    const now = app.clock.now()
    const world = { anchorId: app.platform.config.baseUrl, nowSeconds: Math.floor(now.getTime() / 1000) }
    const federation = newRandomFederation(seed + index, world)
    await replaceSubordinates(app, federation.enrolments, now)
    const outbound = networkOf(federation.network)
    const call: AnonymousCall = {
      actor: { kind: 'anonymous' },
      platform: { ...app.platform, outbound },
      requestId: 'campaign',
      now,
    }
    for (const subject of subjectsOf(federation)) {
      const expected = resolveNaively(
        { ...world, network: federation.network, registry: registryOf(federation) },
        subject,
      )
      const actual = await resolveOurs(call, subject)
      const label = typeof actual === 'string' ? actual : `resolved, ${actual.chain.length} statements`
      tally[label] = (tally[label] ?? 0) + 1
      const difference = compare(actual, expected, { subject, anchorId: world.anchorId })
      if (difference !== null) differences.push(`seed ${seed + index}, ${subject}: ${difference}`)
    }
  }
  return { tally, differences }
}

const subjectsOf = ({ entityIds }: RandomFederation): readonly string[] => [
  ...new Set([entityIds.at(-1) ?? '', entityIds.at(-2) ?? '', entityIds[0] ?? ''].filter((id) => id !== '')),
]

async function replaceSubordinates(app: App, enrolments: readonly Enrolment[], now: Date): Promise<void> {
  await app.platform.db.transaction(async (tx) => {
    await tx.query(sql`DELETE FROM federation_subordinates`)
    for (const enrolment of enrolments) await insertSubordinate(tx, rowOf(enrolment, now))
  })
}

const rowOf = ({ entityId, status, claims }: Enrolment, now: Date): SubordinateRow => ({
  entity_id: entityId,
  status,
  entity_types: ['openid_relying_party'],
  jwks: claims.jwks,
  metadata: (claims['metadata'] as Json | undefined) ?? null,
  metadata_policy: (claims['metadata_policy'] as Json | undefined) ?? null,
  constraints: (claims['constraints'] as Json | undefined) ?? null,
  trust_mark_ids: [],
  created_at: now,
  updated_at: now,
})

const registryOf = ({ enrolments }: RandomFederation) =>
  new Map(enrolments.filter(({ status }) => status === 'active').map(({ entityId, claims }) => [entityId, claims]))

function networkOf(network: Network): Outbound {
  return {
    get: (url) => {
      const answer = network.get(url)
      if (answer === undefined) return Promise.reject(new OutboundFailure('There is no such address.'))
      return Promise.resolve({ ...answer, body: Buffer.from(answer.body), retryAfter: null })
    },
    post: () => Promise.reject(new OutboundFailure('Nothing is posted here.')),
    allows: () => true,
  }
}

interface Resolved {
  readonly chain: readonly Json[]
  readonly metadata: Json
}

/** What the server answers: the code of a refusal, or the chain with what it resolves to. */
async function resolveOurs(call: AnonymousCall, sub: string): Promise<string | Resolved> {
  try {
    const { content } = await resolveEntity(call, { sub, anchor: call.platform.config.baseUrl })
    const token = content !== null && 'text' in content ? content.text.toString() : ''
    const { trust_chain: chain, metadata } = decodeJwt<{ trust_chain: string[]; metadata: Json }>(token)
    return { chain: chain.map((one) => decodeJwt<Json>(one)), metadata }
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

interface Ends {
  readonly subject: string
  readonly anchorId: string
}

/** What differs; null when nothing does. */
function compare(actual: string | Resolved, expected: Verdict, ends: Ends): string | null {
  if (typeof actual === 'string') {
    if ('codes' in expected) {
      return expected.codes.some((code) => code === actual) ? null : `${actual} instead of ${expected.codes.join(', ')}`
    }
    // What needs more fetches than are allowed may be refused.
    return expected.fetches > FETCHES_MAX ? null : `${actual} instead of a chain`
  }
  if ('codes' in expected) return `a chain instead of ${expected.codes.join(', ')}`
  if (!isWhole(actual.chain, ends)) return 'a chain that is not whole'
  if (actual.chain.length !== expected.chainLength) {
    return expected.fetches > FETCHES_MAX
      ? null
      : `${actual.chain.length} statements instead of ${expected.chainLength}`
  }
  const metadata = inAnyOrder(actual.metadata)
  return expected.resolved.some((one) => inAnyOrder(one) === metadata) ? null : `metadata ${metadata}`
}

/** From the subject's configuration up to that of the anchor, each statement about the issuer of the one before. */
function isWhole(chain: readonly Json[], { subject, anchorId }: Ends): boolean {
  const [first, last] = [chain[0], chain.at(-1)]
  const isFramed = first?.['iss'] === subject && last?.['iss'] === anchorId && last['sub'] === anchorId
  return chain.length >= 3 && isFramed && chain.slice(1).every(({ sub }, index) => sub === chain[index]?.['iss'])
}
