import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type Random, randomFrom } from '../faults/random'
import type { Json } from './naive-policy'
import type { Network } from './naive-resolver'

interface SigningKey {
  readonly alg: 'EdDSA' | 'ES256'
  readonly privateKey: KeyObject
  readonly jwk: Json
}

/** What the operator registered of an entity. */
export interface Enrolment {
  readonly entityId: string
  readonly status: 'active' | 'suspended' | 'revoked'
  /** The claims of the statement about it. */
  readonly claims: Json & { readonly jwks: { readonly keys: readonly Json[] } }
}

export interface RandomFederation {
  readonly network: Network
  readonly enrolments: readonly Enrolment[]
  readonly entityIds: readonly string[]
}

const ENTITIES_MAX = 12
const MEDIA_TYPE = 'application/entity-statement+jwt'
const DOMAINS = ['a.example', 'b.example', 'c.a.example']

function newSigningKey(alg: SigningKey['alg']): SigningKey {
  const { privateKey, publicKey } =
    alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { alg, privateKey, jwk: publicKey.export({ format: 'jwk' }) as Json }
}

/** Keys are slow to make: every federation has the same, the last of which is nobody's. */
const keys = Array.from({ length: ENTITIES_MAX + 1 }, (_, index) => newSigningKey(index % 4 === 3 ? 'ES256' : 'EdDSA'))

const keyOf = (index: number): SigningKey => keys[index] ?? newSigningKey('EdDSA')
const jwksOf = (index: number, kid = `key-${index}`) => ({ keys: [{ ...keyOf(index).jwk, kid }] })

interface Draft {
  readonly header: Json
  readonly claims: Json
  readonly key: SigningKey
}

function signDraft({ header, claims, key }: Draft): string {
  const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${part({ alg: key.alg, ...header })}.${part(claims)}`
  const hash = key.alg === 'ES256' ? 'sha256' : null
  const signature = sign(hash, Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

type Fault = (draft: Draft, nowSeconds: number) => Draft

const withClaims =
  (more: (now: number) => Json): Fault =>
  (draft, now) => ({ ...draft, claims: { ...draft.claims, ...more(now) } })
const withHeader =
  (more: Json): Fault =>
  (draft) => ({ ...draft, header: { ...draft.header, ...more } })

/** What may be wrong with a statement that is served. */
const faults: readonly Fault[] = [
  withClaims((now) => ({ exp: now - 61 })),
  withClaims((now) => ({ iat: now + 90 })),
  withClaims(() => ({ iat: undefined })),
  withClaims(() => ({ exp: undefined })),
  withClaims(() => ({ iss: 'https://else.example' })),
  withClaims(() => ({ sub: 'https://else.example' })),
  withClaims(() => ({ crit: ['other'] })),
  withClaims(() => ({ metadata_policy_crit: ['regexp'] })),
  withClaims(() => ({ jwks: jwksOf(ENTITIES_MAX) })),
  withClaims(() => ({ jwks: undefined })),
  withClaims(() => ({ constraints: { max_path_length: -1 } })),
  withClaims(() => ({ trust_marks: [], source_endpoint: 'https://else.example' })),
  withHeader({ typ: 'JWT' }),
  withHeader({ kid: undefined }),
  withHeader({ kid: 'unknown' }),
  withHeader({ crit: ['x'], x: 1 }),
  (draft) => ({ ...draft, key: keyOf(ENTITIES_MAX) }),
]

const answer = (body: string) => ({ status: 200, mediaType: MEDIA_TYPE, body })
/** What may be wrong with an answer. */
const unanswered: readonly ((body: string) => ReturnType<typeof answer> | null)[] = [
  () => null,
  (body) => ({ ...answer(body), status: 302 }),
  (body) => ({ ...answer(body), mediaType: 'application/json' }),
  () => answer('a.b.c'),
]

/** Makes a federation of up to twelve entities: the same seed makes the same one. */
export function newRandomFederation(seed: number, { anchorId, nowSeconds }: World): RandomFederation {
  return new Maker(randomFrom(seed), { anchorId, nowSeconds }).make()
}

interface World {
  readonly anchorId: string
  readonly nowSeconds: number
}

class Maker {
  readonly #network = new Map<string, ReturnType<typeof answer>>()
  readonly #faultRate: number
  readonly #ruleRate: number
  #entityIds: readonly string[] = []

  constructor(
    private readonly random: Random,
    private readonly world: World,
  ) {
    this.#faultRate = random.pick([0, 0.03, 0.15])
    this.#ruleRate = random.pick([0, 0.2, 0.5])
  }

  make(): RandomFederation {
    const { random } = this
    const count = random.int(1, ENTITIES_MAX)
    this.#entityIds = Array.from({ length: count }, (_, index) => `https://e${index}.${random.pick(DOMAINS)}`)
    const directs = random.int(1, Math.min(3, count))
    for (const [index, entityId] of this.#entityIds.entries()) {
      const hints = this.#hintsOf(index, directs)
      this.#serve(`${entityId}/.well-known/openid-federation`, this.#configuration(index, hints))
      for (const hint of hints) this.#serveStatement(index, hint)
    }
    const enrolled = this.#entityIds.flatMap((_, index) =>
      random.chance(index < directs ? 0.95 : 0.08) ? [this.#enrolment(index)] : [],
    )
    return { network: this.#network, enrolments: enrolled, entityIds: this.#entityIds }
  }

  #idOf(index: number): string {
    return this.#entityIds[index] ?? ''
  }

  /** Mostly one of the entities before it, so that chains become long; sometimes any, so that there are loops. */
  #hintsOf(index: number, directs: number): readonly string[] {
    const { random, world } = this
    const hints = new Set<string>()
    if (random.chance(index < directs ? 0.95 : 0.1)) hints.add(world.anchorId)
    if (index >= directs) {
      for (let count = random.int(1, 2); count > 0; count -= 1) hints.add(this.#idOf(random.int(0, index - 1)))
    }
    if (random.chance(0.15)) hints.add(random.pick([...this.#entityIds, 'https://unknown.example', 'garbage']))
    return [...hints]
  }

  #times(): Json {
    return { iat: this.world.nowSeconds, exp: this.world.nowSeconds + 3600 }
  }

  #configuration(index: number, hints: readonly string[]): Draft {
    const id = this.#idOf(index)
    return {
      header: { typ: 'entity-statement+jwt', kid: `key-${index}` },
      key: keyOf(index),
      claims: {
        iss: id,
        sub: id,
        ...this.#times(),
        jwks: jwksOf(index),
        ...(hints.length > 0 && { authority_hints: hints }),
        metadata: {
          federation_entity: { federation_fetch_endpoint: `${id}/fetch`, ...this.#parameters() },
          openid_relying_party: this.#parameters(),
          ...(this.random.chance(0.3) && { openid_provider: this.#parameters() }),
        },
      },
    }
  }

  /** What a superior says of an entity, unless it is no entity of this federation. */
  #serveStatement(index: number, superior: string): void {
    const issuer = this.#entityIds.indexOf(superior)
    if (issuer === -1) return
    const sub = this.#idOf(index)
    this.#serve(`${superior}/fetch?sub=${encodeURIComponent(sub)}`, {
      header: { typ: 'entity-statement+jwt', kid: `key-${issuer}` },
      key: keyOf(issuer),
      claims: { iss: superior, sub, ...this.#times(), jwks: jwksOf(index), ...this.#rules() },
    })
  }

  #enrolment(index: number): Enrolment {
    const { random } = this
    const jwks = random.chance(this.#faultRate) ? jwksOf(ENTITIES_MAX, `key-${index}`) : jwksOf(index)
    const status = random.chance(0.9) ? 'active' : random.pick(['suspended', 'revoked'] as const)
    return { entityId: this.#idOf(index), status, claims: { jwks, ...this.#rules() } }
  }

  #serve(url: string, draft: Draft): void {
    const { random } = this
    const isFaulty = random.chance(this.#faultRate)
    const body = signDraft(isFaulty ? random.pick(faults)(draft, this.world.nowSeconds) : draft)
    const served = random.chance(this.#faultRate / 2) ? random.pick(unanswered)(body) : answer(body)
    if (served !== null) this.#network.set(url, served)
  }

  #values(): readonly string[] {
    return ['a', 'b', 'c'].filter(() => this.random.chance(0.6))
  }

  #parameters(): Json {
    const { random } = this
    return {
      ...(random.chance(0.8) && { grants: this.#values() }),
      ...(random.chance(0.8) && { method: random.pick(['a', 'b', 'c']) }),
    }
  }

  /** Metadata, policies and constraints of a statement about another entity. */
  #rules(): Json {
    const { random } = this
    const isRuled = () => random.chance(this.#ruleRate)
    return {
      ...(isRuled() && { metadata: { openid_relying_party: this.#parameters() } }),
      ...(isRuled() && {
        metadata_policy: { openid_relying_party: { grants: this.#listRule(), method: this.#textRule() } },
      }),
      ...(isRuled() && { constraints: this.#constraints() }),
    }
  }

  #listRule(): Json {
    const rules: readonly Json[] = [
      { add: this.#values() },
      { default: this.#values() },
      { subset_of: this.#values() },
      { superset_of: this.#values() },
      { value: this.#values() },
      { essential: this.random.chance(0.5) },
    ]
    return { ...this.random.pick(rules), ...(this.random.chance(0.3) && this.random.pick(rules)) }
  }

  #textRule(): Json {
    const rules: readonly Json[] = [
      { one_of: this.#values() },
      { default: 'a' },
      { value: this.random.pick(['a', 'b', null]) },
      { essential: this.random.chance(0.5) },
      { regexp: '.*' },
    ]
    return { ...this.random.pick(rules), ...(this.random.chance(0.2) && this.random.pick(rules)) }
  }

  #constraints(): Json {
    const { random } = this
    return {
      ...(random.chance(0.5) && { max_path_length: random.int(0, 3) }),
      ...(random.chance(0.4) && {
        naming_constraints: {
          ...(random.chance(0.6) && {
            permitted: random.pick([['.example'], ['.a.example', '.b.example'], ['.b.example']]),
          }),
          ...(random.chance(0.4) && { excluded: [random.pick(['.c.a.example', '.b.example', 'e1.a.example'])] }),
        },
      }),
      ...(random.chance(0.3) && { allowed_entity_types: [random.pick(['openid_relying_party', 'openid_provider'])] }),
    }
  }
}
