/**
 * Reads, merges and applies metadata policies. Names come from other parties, so values are looked up by them in a Map
 * only.
 *
 * @see {@link https://openid.net/specs/openid-federation-1_0.html#section-6.1}
 */
import { isJsonObject, type JsonObject } from '../encoding'
import { ensure } from '../errors'
import { containsAll, intersectionOf, isSame, toValues, unionOf } from './values'

/** The standard operators in the order in which they are applied (section 6.1.3.1). */
const operators = ['value', 'add', 'default', 'one_of', 'subset_of', 'superset_of', 'essential'] as const
export type Operator = (typeof operators)[number]

/** The policy of one parameter: operators with their values. */
export type ParameterPolicy = ReadonlyMap<Operator, unknown>
/** The policies of one entity type, by parameter. */
export type TypePolicy = ReadonlyMap<string, ParameterPolicy>
/** A metadata policy, by entity type. */
export type MetadataPolicy = ReadonlyMap<string, TypePolicy>

const arrayOperators: readonly Operator[] = ['add', 'one_of', 'subset_of', 'superset_of']

/** Whether an operator is a standard one; all others are extensions. */
export function isStandardOperator(name: string): name is Operator {
  return operators.some((operator) => operator === name)
}

interface ParseOptions {
  /** Whether extensions are refused, or ignored as section 6.1.3.2 requires for those that are not critical. */
  readonly unknownOperators: 'refuse' | 'ignore'
}

/**
 * Reads a `metadata_policy`. Throws `invalid_trust_chain` for an invalid form, and `invalid_metadata` for operators
 * that contradict each other.
 */
export function parseMetadataPolicy(value: unknown, options: ParseOptions): MetadataPolicy {
  ensure(isJsonObject(value), 'invalid_trust_chain', 'The metadata_policy is not an object')
  return mapOf(value, (type) => parseTypePolicy(type, options))
}

/** Reads the policies of one entity type. */
export function parseTypePolicy(value: unknown, options: ParseOptions): TypePolicy {
  ensure(isJsonObject(value), 'invalid_trust_chain', 'The metadata_policy of an entity type is not an object')
  return new Map(Object.entries(value).map(([name, policy]) => [name, parseParameterPolicy(name, policy, options)]))
}

function mapOf<Result>(object: JsonObject, read: (value: unknown) => Result): Map<string, Result> {
  return new Map(Object.entries(object).map(([name, value]) => [name, read(value)]))
}

function parseParameterPolicy(parameter: string, value: unknown, options: ParseOptions): ParameterPolicy {
  ensure(isJsonObject(value), 'invalid_trust_chain', 'The policy of a metadata parameter is not an object')
  const policy = new Map<Operator, unknown>()
  for (const [name, operand] of Object.entries(value)) {
    if (isStandardOperator(name)) policy.set(name, parseOperand(name, operand))
    else
      ensure(
        options.unknownOperators === 'ignore',
        'invalid_trust_chain',
        'The metadata_policy has an unknown operator',
      )
  }
  requireAllowedCombination(parameter, policy)
  return policy
}

function parseOperand(operator: Operator, operand: unknown): unknown {
  if (arrayOperators.includes(operator)) {
    ensure(Array.isArray(operand), 'invalid_trust_chain', `The value of the operator ${operator} is not an array`)
  }
  if (operator === 'essential') {
    ensure(typeof operand === 'boolean', 'invalid_trust_chain', 'The value of the operator essential is not a boolean')
  }
  if (operator === 'default') {
    ensure(operand !== null, 'invalid_trust_chain', 'The value of the operator default is null')
  }
  return operand
}

/** Throws for operators that may not be combined, as section 6.1.3.1 says of each. */
function requireAllowedCombination(parameter: string, policy: ParameterPolicy): void {
  if (policy.has('value')) requireAgreeingValue(parameter, policy)
  const refuse = (one: Operator, other: Operator, holds: boolean): void =>
    ensure(holds, 'invalid_metadata', `The policy operators ${one} and ${other} contradict each other`)
  if (policy.has('one_of')) {
    for (const other of ['add', 'subset_of', 'superset_of'] as const) refuse('one_of', other, !policy.has(other))
  }
  const subset = policy.get('subset_of')
  if (subset === undefined) return
  for (const other of ['add', 'superset_of'] as const) {
    if (policy.has(other)) refuse('subset_of', other, containsAll(toValues(parameter, subset), policy.get(other)))
  }
}

/** Throws when another operator of the parameter would change or refuse the value that `value` sets. */
function requireAgreeingValue(parameter: string, policy: ParameterPolicy): void {
  const value = policy.get('value')
  const values = toValues(parameter, value)
  const agrees: Readonly<Partial<Record<Operator, (operand: unknown) => boolean>>> = {
    add: (operand) => containsAll(values, operand),
    default: () => value !== null,
    one_of: (operand) => containsAll(operand, [value]),
    subset_of: (operand) => values !== null && containsAll(toValues(parameter, operand), values),
    superset_of: (operand) => containsAll(values, operand),
    essential: (operand) => value !== null || operand === false,
  }
  for (const [operator, operand] of policy) {
    const holds = agrees[operator]?.(operand) ?? true
    ensure(holds, 'invalid_metadata', `The policy operators value and ${operator} contradict each other`)
  }
}

/**
 * Merges the policies of a trust chain, the most superior first. Throws `invalid_metadata` when they contradict each other.
 *
 * @see {@link https://openid.net/specs/openid-federation-1_0.html#section-6.1.4.1}
 */
export function mergePolicies(policies: readonly MetadataPolicy[]): MetadataPolicy {
  return policies.reduce<MetadataPolicy>(
    (superior, policy) => joinMaps(superior, policy, (one, other) => mergeTypePolicies(one, other)),
    new Map(),
  )
}

/** Merges the policies of two statements for one entity type, that of the superior first. */
export function mergeTypePolicies(superior: TypePolicy, subordinate: TypePolicy): TypePolicy {
  return joinMaps(superior, subordinate, (one, other, parameter) => {
    const merged = joinMaps(one, other, (operand, own, operator) => mergeOperands(operator, operand, own))
    requireAllowedCombination(parameter, merged)
    return merged
  })
}

function joinMaps<Key, Value>(
  one: ReadonlyMap<Key, Value>,
  other: ReadonlyMap<Key, Value>,
  join: (mine: Value, theirs: Value, key: Key) => Value,
): Map<Key, Value> {
  const joined = new Map(one)
  for (const [key, value] of other) {
    const known = joined.get(key)
    joined.set(key, joined.has(key) ? join(known as Value, value, key) : value)
  }
  return joined
}

function mergeOperands(operator: Operator, superior: unknown, subordinate: unknown): unknown {
  switch (operator) {
    case 'value':
    case 'default':
      ensure(isSame(superior, subordinate), 'invalid_metadata', `The policies give the operator ${operator} two values`)
      return superior
    case 'add':
    case 'superset_of':
      return unionOf(superior, subordinate)
    case 'one_of': {
      const common = intersectionOf(superior, subordinate)
      ensure(common.length > 0, 'invalid_metadata', 'The policies leave no value for the operator one_of')
      return common
    }
    case 'subset_of':
      return intersectionOf(superior, subordinate)
    case 'essential':
      return superior === true || subordinate === true
  }
}

/**
 * Applies the policies of one entity type to its metadata. Throws `invalid_metadata` when the metadata breaks one.
 *
 * @see {@link https://openid.net/specs/openid-federation-1_0.html#section-6.1.4.2}
 */
export function applyTypePolicy(metadata: JsonObject, policy: TypePolicy): JsonObject {
  const parameters = new Map(Object.entries(metadata).filter(([, value]) => value !== null))
  for (const [parameter, operands] of policy) {
    const value = applyParameterPolicy(parameter, parameters.get(parameter), operands)
    if (value === undefined) parameters.delete(parameter)
    else parameters.set(parameter, value)
  }
  return Object.fromEntries(parameters)
}

function applyParameterPolicy(parameter: string, given: unknown, policy: ParameterPolicy): unknown {
  return operators
    .filter((operator) => policy.has(operator))
    .reduce((value, operator) => applyOperator({ operator, operand: policy.get(operator), parameter }, value), given)
}

interface Application {
  readonly operator: Operator
  readonly operand: unknown
  readonly parameter: string
}

/** Returns the value after one operator; undefined is an absent parameter. */
function applyOperator(application: Application, value: unknown): unknown {
  const { operator, operand } = application
  switch (operator) {
    case 'value':
      return operand === null ? undefined : operand
    case 'default':
      return value === undefined ? operand : value
    case 'essential':
      ensure(value !== undefined || operand === false, 'invalid_metadata', broken(operator))
      return value
    case 'one_of':
      ensure(value === undefined || containsAll(operand, [value]), 'invalid_metadata', broken(operator))
      return value
    case 'add':
    case 'subset_of':
    case 'superset_of':
      return applySetOperator(application, value)
  }
}

/** Applies `add`, `subset_of` or `superset_of`, which treat a space-separated text such as `scope` as a list. */
function applySetOperator({ operator, operand, parameter }: Application, value: unknown): unknown {
  if (value === undefined) return operator === 'add' ? operand : value
  const values = toValues(parameter, value)
  ensure(values !== null, 'invalid_metadata', broken(operator))
  const asGiven = (result: readonly unknown[]) => (typeof value === 'string' ? result.join(' ') : result)
  if (operator === 'add') return asGiven(unionOf(values, operand))
  if (operator === 'subset_of') return asGiven(intersectionOf(values, operand))
  ensure(containsAll(values, operand), 'invalid_metadata', broken(operator))
  return value
}

const broken = (operator: Operator): string => `The metadata does not meet a policy with the operator ${operator}`
