import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../encoding'
import { ProtocolError } from '../errors'
import { isTypeAllowed, parseConstraints } from './constraints'
import {
  applyTypePolicy,
  mergePolicies,
  mergeTypePolicies,
  parseMetadataPolicy,
  parseTypePolicy,
  type TypePolicy,
} from './metadata-policy'
import vectors from './metadata-policy.vectors.json' with { type: 'json' }

const LENIENT = { unknownOperators: 'ignore' } as const
const STRICT = { unknownOperators: 'refuse' } as const

interface Vector {
  readonly n: number
  readonly TA: JsonObject
  readonly INT: JsonObject
  readonly metadata: JsonObject
  readonly merged?: JsonObject
  readonly resolved?: JsonObject
  readonly error?: string
}

const toJson = (policy: TypePolicy): unknown =>
  Object.fromEntries([...policy].map(([name, operands]) => [name, Object.fromEntries(operands)]))

/** Sorts the lists in policies and metadata, which are sets. */
const inAnyOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => JSON.stringify(one)).toSorted()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inAnyOrder(member)]))
}

/** Runs the engine on a vector and returns the result in the form of the vectors. */
function run({ TA, INT, metadata }: Vector) {
  let merged: TypePolicy | undefined
  try {
    merged = mergeTypePolicies(parseTypePolicy(TA, LENIENT), parseTypePolicy(INT, LENIENT))
    const resolved = applyTypePolicy(metadata, merged)
    return { merged: inAnyOrder(toJson(merged)), resolved: inAnyOrder(resolved) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (merged === undefined) return { error: 'invalid_policy' }
    return { error: 'invalid_metadata', merged: inAnyOrder(toJson(merged)) }
  }
}

const refusal = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof ProtocolError ? error.code : String(error)
  }
}

test('the public vectors of metadata policies give what they say, all of them', () => {
  const wrong: unknown[] = []
  for (const vector of vectors as unknown as Vector[]) {
    const { error, merged, resolved } = vector
    const expected =
      error === undefined
        ? { merged: inAnyOrder(merged), resolved: inAnyOrder(resolved) }
        : { error, ...(merged === undefined ? {} : { merged: inAnyOrder(merged) }) }
    const actual = run(vector)
    if (JSON.stringify(sorted(actual)) !== JSON.stringify(sorted(expected))) wrong.push({ vector, actual })
  }
  expect(vectors).toHaveLength(2019)
  expect(wrong.slice(0, 3)).toEqual([])
  expect(wrong).toHaveLength(0)
})

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

describe('reading a policy', () => {
  test.each([
    ['a policy that is no object', [], 'invalid_trust_chain'],
    ['an entity type that is no object', { t: 1 }, 'invalid_trust_chain'],
    ['a parameter that is no object', { t: { p: [] } }, 'invalid_trust_chain'],
    ['add with a text', { t: { p: { add: 'x' } } }, 'invalid_trust_chain'],
    ['essential with a number', { t: { p: { essential: 1 } } }, 'invalid_trust_chain'],
    ['default with null', { t: { p: { default: null } } }, 'invalid_trust_chain'],
    ['an unknown operator', { t: { p: { regexp: '.*' } } }, 'invalid_trust_chain'],
    ['one_of beside add', { t: { p: { one_of: ['a'], add: ['a'] } } }, 'invalid_metadata'],
    ['one_of beside subset_of', { t: { p: { one_of: ['a'], subset_of: ['a'] } } }, 'invalid_metadata'],
    ['value beside one_of without it', { t: { p: { value: 'b', one_of: ['a'] } } }, 'invalid_metadata'],
    ['value null beside essential', { t: { p: { value: null, essential: true } } }, 'invalid_metadata'],
    ['subset_of without what is added', { t: { p: { subset_of: ['a'], add: ['b'] } } }, 'invalid_metadata'],
  ])('%s is refused', (_title, policy, code) => {
    expect(refusal(() => parseMetadataPolicy(policy, STRICT))).toBe(code)
  })

  test('an unknown operator of another federation is ignored', () => {
    const policy = parseTypePolicy({ p: { regexp: '.*', value: 'x' } }, LENIENT)
    expect(applyTypePolicy({}, policy)).toEqual({ p: 'x' })
  })
})

describe('applying a policy', () => {
  const apply = (metadata: JsonObject, policy: JsonObject) => applyTypePolicy(metadata, parseTypePolicy(policy, STRICT))

  test('scope is a list in a text', () => {
    expect(apply({ scope: 'openid email phone' }, { scope: { subset_of: ['openid', 'email'] } })).toEqual({
      scope: 'openid email',
    })
    expect(apply({ scope: 'openid' }, { scope: { add: ['email'] } })).toEqual({ scope: 'openid email' })
    expect(refusal(() => apply({ scope: 'email' }, { scope: { superset_of: ['openid'] } }))).toBe('invalid_metadata')
  })

  test('a set operator refuses a parameter that is no list', () => {
    expect(refusal(() => apply({ p: 'x' }, { p: { subset_of: ['x'] } }))).toBe('invalid_metadata')
  })

  test('null counts as an absent parameter', () => {
    expect(refusal(() => apply({ p: null }, { p: { essential: true } }))).toBe('invalid_metadata')
  })

  test('names of object members mean nothing special', () => {
    const hostile = JSON.parse('{"__proto__":{"value":"x"},"constructor":{"value":"y"},"toString":{"essential":true}}')
    const policy = parseTypePolicy(hostile, STRICT)
    expect(refusal(() => applyTypePolicy({}, policy))).toBe('invalid_metadata')
    expect(({} as Record<string, unknown>)['value']).toBeUndefined()
    const types = JSON.parse('{"__proto__":{"polluted":{"value":"x"}}}')
    const merged = mergePolicies([parseMetadataPolicy(types, STRICT), parseMetadataPolicy(types, STRICT)])
    expect([...merged.keys()]).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('long lists, which a statement of 256 KiB may hold, are judged in time', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => index)

  test.each(['one_of', 'subset_of'] as const)('merging %s', (operator) => {
    const policy = parseTypePolicy({ p: { [operator]: many } }, STRICT)
    const [merged, milliseconds] = timed(() => mergeTypePolicies(policy, policy))
    expect(merged.get('p')?.get(operator)).toEqual(many)
    expect(milliseconds).toBeLessThan(1_000)
  })

  test('applying subset_of', () => {
    const policy = parseTypePolicy({ p: { subset_of: many } }, STRICT)
    const [applied, milliseconds] = timed(() => applyTypePolicy({ p: many }, policy))
    expect(applied).toEqual({ p: many })
    expect(milliseconds).toBeLessThan(1_000)
  })

  test('a long value beside a long one_of', () => {
    const policy = { p: { value: many, one_of: [...many, many] } }
    const [parsed, milliseconds] = timed(() => parseTypePolicy(policy, STRICT))
    expect(parsed.get('p')?.get('value')).toEqual(many)
    expect(milliseconds).toBeLessThan(1_000)
  })

  test('entity types that each of five superiors allows', () => {
    const types = many.map(String)
    const constraints = Array.from({ length: 5 }, () => parseConstraints({ allowed_entity_types: types }))
    const [allowed, milliseconds] = timed(() => types.filter((type) => isTypeAllowed(type, constraints)))
    expect(allowed).toEqual(types)
    expect(milliseconds).toBeLessThan(1_000)
  })
})

function timed<Result>(act: () => Result): readonly [Result, number] {
  const start = performance.now()
  return [act(), performance.now() - start]
}
