/** Properties of metadata policies (B14, Fed 6.1) over random policies, beside the naive second implementation. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProtocolError } from '@/server/base/protocol/errors'
import {
  applyTypePolicy,
  mergePolicies,
  mergeTypePolicies,
  parseMetadataPolicy,
  parseTypePolicy,
  type TypePolicy,
} from '@/server/base/protocol/federation/metadata-policy'
import { inAnyOrder } from './in-any-order'
import { applyNaively, type Json, mergeNaively, Unmet } from './naive-policy'

const OPTIONS = { seed: 20_261_128, numRuns: 2_000 }
const TYPE = 'openid_relying_party'

const values = fc.subarray(['a', 'b', 'c'])
const value = fc.constantFrom('a', 'b', null, ['a'], ['a', 'b'])
const rule = fc.record(
  {
    value,
    add: values,
    default: fc.constantFrom('a', ['a'], ['a', 'b']),
    one_of: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    subset_of: values,
    superset_of: values,
    essential: fc.boolean(),
  },
  { requiredKeys: [] },
)
/** With few operators, since most policies of many contradict themselves. */
const sparse = fc
  .tuple(
    rule,
    fc.subarray(['value', 'add', 'default', 'one_of', 'subset_of', 'superset_of', 'essential'], {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([all, names]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as Json)
const typePolicy = fc.record({ p: sparse, q: sparse, scope: sparse }, { requiredKeys: [] }) as fc.Arbitrary<
  Record<string, Json>
>
const metadata = fc.record({ p: values, q: fc.constantFrom('a', 'b') }, { requiredKeys: [] })

const read = (policy: Json): TypePolicy => parseTypePolicy(policy, { unknownOperators: 'ignore' })
const toJson = (policy: TypePolicy) =>
  Object.fromEntries([...policy].map(([name, operands]) => [name, Object.fromEntries(operands)]))

/** What is computed, as text in which no order counts; a contradiction is an outcome too. */
function outcomeOf(compute: () => unknown): string {
  try {
    return inAnyOrder(compute())
  } catch (error) {
    if (error instanceof Unmet || (error instanceof ProtocolError && error.code === 'invalid_metadata'))
      return 'refused'
    throw error
  }
}

/** Runs a property and counts how often its outcome was a refusal. */
function holds(arity: number, property: (policies: readonly Record<string, Json>[], own: Json) => string): void {
  const seen = { refused: 0, other: 0 }
  const policies = fc.array(typePolicy, { minLength: arity, maxLength: arity })
  fc.assert(
    fc.property(policies, metadata, (some, own) => {
      seen[property(some, own) === 'refused' ? 'refused' : 'other'] += 1
    }),
    OPTIONS,
  )
  expect(Math.min(seen.refused, seen.other)).toBeGreaterThan(40)
}

test('6.1.4.1 merging policies is associative, contradictions included', () => {
  holds(3, ([one = {}, two = {}, three = {}]) => {
    const fromLeft = outcomeOf(() => toJson(mergeTypePolicies(mergeTypePolicies(read(one), read(two)), read(three))))
    const fromRight = outcomeOf(() => toJson(mergeTypePolicies(read(one), mergeTypePolicies(read(two), read(three)))))
    expect(fromRight).toBe(fromLeft)
    return fromLeft
  })
})

test('6.1.4.1 a chain of policies may be merged in parts, wherever it is cut', () => {
  holds(4, (policies) => {
    const all = (some: readonly Json[]) =>
      some.map((policy) => parseMetadataPolicy({ [TYPE]: policy }, { unknownOperators: 'ignore' }))
    const shown = (merge: () => ReturnType<typeof mergePolicies>) =>
      outcomeOf(() => toJson(merge().get(TYPE) ?? new Map<string, never>()))
    const whole = shown(() => mergePolicies(all(policies)))
    for (const cut of [1, 2, 3]) {
      const parts = () => [mergePolicies(all(policies.slice(0, cut))), mergePolicies(all(policies.slice(cut)))]
      expect(shown(() => mergePolicies(parts()))).toBe(whole)
    }
    return whole
  })
})

test('6.1.4.1 a policy that is merged with itself stays what it is', () => {
  holds(1, ([policy = {}]) => {
    const once = outcomeOf(() => toJson(read(policy)))
    expect(outcomeOf(() => toJson(mergeTypePolicies(read(policy), read(policy))))).toBe(once)
    return once
  })
})

test('6.1.4.2 merging and applying gives what a naive reading of the standard gives', () => {
  const withoutScope = ({ p, q }: Record<string, Json>) => ({ ...(p && { p }), ...(q && { q }) })
  holds(2, (policies, own) => {
    const [one = {}, two = {}] = policies.map(withoutScope)
    const ours = outcomeOf(() => applyTypePolicy(own, mergeTypePolicies(read(one), read(two))))
    const naive = outcomeOf(() => applyNaively(own, mergeNaively([{ [TYPE]: one }, { [TYPE]: two }])[TYPE] ?? {}))
    expect(ours).toBe(naive)
    return ours
  })
})

test('6.1.4.2 applying a policy to what it has made changes nothing', () => {
  holds(1, ([policy = {}], own) => {
    const once = outcomeOf(() => applyTypePolicy(own, read(policy)))
    if (once !== 'refused') {
      const twice = () => applyTypePolicy(applyTypePolicy(own, read(policy)), read(policy))
      expect(outcomeOf(twice)).toBe(once)
    }
    return once
  })
})
