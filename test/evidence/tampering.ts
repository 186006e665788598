type Path = readonly (string | number)[]

/** One change to a pack. */
export interface Change {
  readonly path: Path
  readonly what: string
  readonly pack: Record<string, unknown>
}

type Json = Record<string | number, unknown>

/** A copy in which the value at the path is replaced; `undefined` takes it out. */
function replaced(pack: unknown, path: Path, value: unknown): Record<string, unknown> {
  const copy = structuredClone(pack) as Json
  const last = path.at(-1) ?? ''
  const parent = path.slice(0, -1).reduce<Json>((node, step) => node[step] as Json, copy)
  if (value !== undefined) parent[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else Reflect.deleteProperty(parent, last)
  return copy as Record<string, unknown>
}

/** Every value of a JSON text with its path, the branches before their leaves; of the whole text or of some members. */
function* walk(
  value: unknown,
  only: readonly string[],
  path: Path = [],
): Generator<{ readonly path: Path; readonly value: unknown }> {
  if (path.length > 0) yield { path, value }
  if (typeof value !== 'object' || value === null) return
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  for (const [name, member] of members) {
    const isWanted = path.length > 0 || only.length === 0 || only.includes(String(name))
    if (isWanted) yield* walk(member, only, [...path, name])
  }
}

/** Another character of the same kind, so that dates, digests and addresses keep their form. */
function otherCharacter(character: string): string {
  if (/[0-8]/.test(character)) return String(Number(character) + 1)
  if (character === '9') return '8'
  if (/[a-y]/i.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1)
  return /z/i.test(character) ? 'a' : '0'
}

function alteredTexts(text: string): string[] {
  const isSigned = /[.~]/.test(text) && text.length > 100
  const places = isSigned ? [0, 40, text.length >> 1, text.length - 1] : [text.length >> 1]
  const altered = places.map((at) => text.slice(0, at) + otherCharacter(text[at] ?? '') + text.slice(at + 1))
  return isSigned ? [...altered, `${text}x`, ''] : altered
}

function alterations(value: unknown): [what: string, value: unknown][] {
  if (typeof value === 'string') return alteredTexts(value).map((text, index) => [`text ${index}`, text])
  if (typeof value === 'number')
    return [
      ['one more', value + 1],
      ['text', String(value)],
    ]
  if (typeof value === 'boolean') return [['opposite', !value]]
  if (value === null) return [['something', 'something']]
  if (!Array.isArray(value)) return [['one member more', { ...value, added: 1 }]]
  const repeated: [string, unknown][] =
    value.length === 0 ? [['an element', [1]]] : [['repeated', [...value, value.at(-1)]]]
  return value.length < 2 ? repeated : [...repeated, ['turned round', value.toReversed()]]
}

/** Every value altered, one at a time, each in several ways. */
export function* alterEach(pack: object, only: readonly string[] = []): Generator<Change> {
  for (const { path, value } of walk(pack, only)) {
    for (const [what, other] of alterations(value)) yield { path, what, pack: replaced(pack, path, other) }
  }
}

/** Every member and every element left out, one at a time. */
export function* leaveOutEach(pack: object, only: readonly string[] = []): Generator<Change> {
  for (const { path } of walk(pack, only)) yield { path, what: 'left out', pack: replaced(pack, path, undefined) }
}
