import vectors from '@/server/base/protocol/federation/metadata-policy.vectors.json' with { type: 'json' }
import { type App, startApp } from '../support/app'
import {
  type Claims,
  claimsOf,
  type Entity,
  enrol,
  type Federation,
  patch,
  resolve,
  startFederation,
  vouchFor,
} from './entities'
import { inAnyOrder } from './in-any-order'

interface Vector {
  readonly n: number
  /** The policies of the anchor and of the intermediate, by metadata parameter. */
  readonly TA: Claims
  readonly INT: Claims
  readonly metadata: Claims
  readonly resolved?: Claims
  readonly error?: string
}

export interface Outcome {
  /** How many vectors ended how. */
  readonly tally: Readonly<Record<string, number>>
  /** What was answered instead of what the vector says. */
  readonly differences: readonly string[]
}

/** The public vectors of metadata policies: every `step`th of them. */
export const everyVector = (step: number): readonly Vector[] =>
  (vectors as unknown as Vector[]).filter((_, index) => index % step === 0)

/** As many as one address may resolve in a minute, below one server. */
const RESOLVED_MAX = 280
const TYPE = 'openid_relying_party'

/**
 * Resolves a leaf below an intermediate over HTTP for each vector. This server is the anchor: its policy is written over
 * the operator API, and everything else is served on loopback.
 */
export async function resolveVectors(all: readonly Vector[]): Promise<Outcome> {
  const tally: Record<string, number> = {}
  const differences: string[] = []
  for (let start = 0; start < all.length; start += RESOLVED_MAX) {
    await onServer(async (anchor) => {
      for (const vector of all.slice(start, start + RESOLVED_MAX)) {
        const actual = await resolveVector(anchor, vector)
        const expected = vector.error === undefined ? `resolved ${inAnyOrder(vector.resolved)}` : 'invalid_metadata'
        if (actual !== expected) differences.push(`vector ${vector.n}: ${actual} instead of ${expected}`)
        const label = actual.startsWith('resolved') ? 'resolved' : actual
        tally[label] = (tally[label] ?? 0) + 1
      }
    })
  }
  return { tally, differences }
}

interface Anchor {
  readonly app: App
  readonly intermediate: Entity
  readonly leaf: Entity
}

async function onServer(work: (anchor: Anchor) => Promise<void>): Promise<void> {
  const app = await startApp({ env: { SWITCH_FEDERATION: 'true' }, seed: false })
  const federation = await startFederation(app)
  try {
    await work(await newChain(app, federation))
  } finally {
    await federation.close()
    await app.close()
  }
}

async function newChain(app: App, federation: Federation): Promise<Anchor> {
  const intermediate = await federation.entity('intermediate', { hints: [app.baseUrl] })
  const leaf = await federation.entity('leaf', { hints: [intermediate.id] })
  const { status, text } = await enrol(app, intermediate)
  if (status !== 201) throw new Error(text)
  return { app, intermediate, leaf }
}

async function resolveVector({ app, intermediate, leaf }: Anchor, { TA, INT, metadata }: Vector): Promise<string> {
  const registered = await patch(app, intermediate.id, { metadata_policy: { [TYPE]: TA } })
  if (registered.status === 422) return 'refused at registration'
  vouchFor(intermediate, leaf, { metadata_policy: { [TYPE]: INT } })
  leaf.claims['metadata'] = { [TYPE]: metadata }
  const answer = await resolve(app, leaf.id)
  if (answer.status !== 200) return String(answer.json['error'])
  const resolved = claimsOf(answer)['metadata'] as Record<string, unknown>
  return `resolved ${inAnyOrder(resolved[TYPE])}`
}
