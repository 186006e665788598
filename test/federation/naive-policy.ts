/**
 * Metadata policies a second time, written from section 6.1 alone and without regard to speed: every rule is one line that
 * names its section. It shares nothing with the server.
 */

export type Json = Record<string, unknown>
type Policy = Record<string, Record<string, Json>>

/** Policies that cannot be merged, or metadata that does not meet them. */
export class Unmet extends Error {}

const demand = (holds: boolean, section: string): void => {
  if (!holds) throw new Unmet(section)
}

const text = (value: unknown): string => JSON.stringify(value)
const has = (list: unknown, value: unknown): boolean =>
  Array.isArray(list) && list.some((one) => text(one) === text(value))
const hasAll = (list: unknown, values: unknown): boolean =>
  Array.isArray(list) && Array.isArray(values) && values.every((value) => has(list, value))
const union = (one: unknown, other: unknown): unknown[] => {
  const result: unknown[] = []
  for (const value of [...(one as unknown[]), ...(other as unknown[])]) if (!has(result, value)) result.push(value)
  return result
}
const intersection = (one: unknown, other: unknown): unknown[] => union(one, []).filter((value) => has(other, value))

/** Section 6.1.3.1: what each pair of operators that stands together must fulfil. */
const together: readonly (readonly [string, string, (one: unknown, other: unknown) => boolean])[] = [
  ['value', 'add', hasAll],
  ['value', 'default', (value) => value !== null],
  ['value', 'one_of', (value, allowed) => has(allowed, value)],
  ['value', 'subset_of', (value, allowed) => hasAll(allowed, value)],
  ['value', 'superset_of', hasAll],
  ['value', 'essential', (value, isEssential) => value !== null || isEssential === false],
  ['one_of', 'add', () => false],
  ['one_of', 'subset_of', () => false],
  ['one_of', 'superset_of', () => false],
  ['subset_of', 'add', hasAll],
  ['subset_of', 'superset_of', hasAll],
]

function checkTogether(rule: Json): void {
  for (const [one, other, holds] of together) {
    const isBoth = Object.hasOwn(rule, one) && Object.hasOwn(rule, other)
    if (isBoth) demand(holds(rule[one], rule[other]), `6.1.3.1: ${one} beside ${other}`)
  }
}

/** Section 6.1.3.1, "merge" of each operator. */
function mergeOperator(name: string, superior: unknown, subordinate: unknown): unknown {
  if (name === 'essential') return superior === true || subordinate === true
  if (name === 'add' || name === 'superset_of') return union(superior, subordinate)
  if (name === 'subset_of') return intersection(superior, subordinate)
  if (name === 'one_of') {
    demand(intersection(superior, subordinate).length > 0, '6.1.3.1.4: nothing is left of one_of')
    return intersection(superior, subordinate)
  }
  demand(text(superior) === text(subordinate), `6.1.3.1: ${name} has two values`)
  return superior
}

/** Section 6.1.4.1: the policies of a chain, that of the anchor first. Operators that are not known are left out. */
export function mergeNaively(policies: readonly Policy[]): Policy {
  const merged: Policy = {}
  for (const policy of policies) {
    for (const [type, parameters] of Object.entries(policy)) {
      for (const [parameter, rule] of Object.entries(parameters)) {
        merged[type] = { ...merged[type], [parameter]: mergeRule(merged[type]?.[parameter] ?? {}, rule) }
      }
    }
  }
  return merged
}

function mergeRule(superior: Json, subordinate: Json): Json {
  const known = Object.fromEntries(Object.entries(subordinate).filter(([name]) => ORDER.includes(name)))
  checkTogether(known)
  const both = { ...superior }
  for (const [name, operand] of Object.entries(known)) {
    both[name] = Object.hasOwn(superior, name) ? mergeOperator(name, superior[name], operand) : operand
  }
  checkTogether(both)
  return both
}

/** Section 6.1.3.1: "value" first, "essential" last. */
const ORDER = ['value', 'add', 'default', 'one_of', 'subset_of', 'superset_of', 'essential']

/** What each operator makes of a value; undefined is a parameter that is absent. */
const actions: Readonly<Record<string, (value: unknown, operand: unknown) => unknown>> = {
  value: (_value, operand) => operand ?? undefined,
  add: (value, operand) => (value === undefined ? operand : union(demandList(value), operand)),
  default: (value, operand) => (value === undefined ? operand : value),
  one_of: (value, operand) => kept(value, value === undefined || has(operand, value)),
  subset_of: (value, operand) => (value === undefined ? value : intersection(demandList(value), operand)),
  superset_of: (value, operand) => kept(value, value === undefined || hasAll(demandList(value), operand)),
  essential: (value, operand) => kept(value, value !== undefined || operand !== true),
}

/** Section 6.1.4.2 for the metadata of one entity type. */
export function applyNaively(metadata: Json, rules: Record<string, Json>): Json {
  const result: Json = { ...metadata }
  for (const [parameter, rule] of Object.entries(rules)) {
    for (const name of ORDER) {
      if (Object.hasOwn(rule, name)) result[parameter] = actions[name]?.(result[parameter], rule[name])
    }
  }
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined))
}

function kept(value: unknown, holds: boolean): unknown {
  demand(holds, '6.1.3.1: the metadata does not meet the policy')
  return value
}

function demandList(value: unknown): unknown {
  demand(Array.isArray(value), '6.1.3.1: the parameter is no list')
  return value
}
