import { type ObjectNode, parse, type ValueNode } from '@humanwhocodes/momoa'
import { isExact } from '@/server/base/protocol/encoding'

/** The faults that JSON.parse ignores, of the document itself and of each element of its `entries`. */
export interface JsonFaults {
  readonly ofDocument: string | null
  /** The fault of each entry, by its index; null without a fault. */
  readonly ofEntries: readonly (string | null)[]
}

/** Finds duplicate members and numbers that no double represents exactly. Throws when the text is not JSON. */
export function findJsonFaults(text: string): JsonFaults {
  const { body } = parse(text, { mode: 'json', ranges: true })
  if (body.type !== 'Object') return { ofDocument: 'it is not an object', ofEntries: [] }
  const entries = memberOf(body, 'entries')
  const elements = entries?.type === 'Array' ? entries.elements : []
  return {
    ofDocument: findDoubled(body),
    ofEntries: elements.map(({ value }) => findFault(value, text)),
  }
}

const nameOf = ({ name }: ObjectNode['members'][number]): string => (name.type === 'String' ? name.value : name.name)

function memberOf(node: ObjectNode, wanted: string): ValueNode | undefined {
  return node.members.find((member) => nameOf(member) === wanted)?.value
}

function findDoubled(node: ObjectNode): string | null {
  const names = node.members.map(nameOf)
  const doubled = names.find((name, at) => names.indexOf(name) !== at)
  return doubled === undefined ? null : `its member ${JSON.stringify(doubled)} is there twice`
}

function findFault(node: ValueNode, text: string): string | null {
  if (node.type === 'Number')
    return isExact(text.slice(...(node.range ?? [0, 0]))) ? null : 'a number in it is not exact'
  if (node.type === 'Array') return firstFault(node.elements, text)
  if (node.type !== 'Object') return null
  return findDoubled(node) ?? firstFault(node.members, text)
}

function firstFault(parents: readonly { readonly value: ValueNode }[], text: string): string | null {
  for (const { value } of parents) {
    const fault = findFault(value, text)
    if (fault !== null) return fault
  }
  return null
}
