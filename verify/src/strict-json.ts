import { LONE_SURROGATE } from './encoding.ts'

const MAX_DEPTH = 64
/** A JSON string, a structural character, or any other text between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** The member names so far of each open object; null for an open array. */
type Open = Set<string> | null

/**
 * Parses JSON and throws for what parsers may read differently: a member that occurs twice, a number that a double does
 * not hold as written, a lone surrogate, and nesting deeper than in any pack. The message says what is wrong.
 */
export function parseStrictJson(text: string): unknown {
  return parseJson(text, { noteName, requireNumber: requireExact })
}

/**
 * Parses JSON that the key of an agent or a wallet app signed, as the server did when it accepted the signature: of a
 * member that occurs twice the last one counts, and numbers may be in any form, such as a time with a fraction.
 */
export function parseHolderJson(text: string): unknown {
  return parseJson(text, { noteName: () => undefined, requireNumber: requireBounded })
}

interface Rules {
  readonly noteName: (names: Open, token: string) => void
  readonly requireNumber: (token: string) => void
}

function parseJson(text: string, rules: Rules): unknown {
  const value: unknown = JSON.parse(text)
  const open: Open[] = []
  const tokens = text.match(TOKEN) ?? []
  for (const [index, token] of tokens.entries()) {
    moveThrough(open, token)
    if (token.startsWith('"')) requireWhole(token)
    if (tokens[index + 1] === ':') rules.noteName(open.at(-1) ?? null, token)
    else if (/^-?\d/.test(token)) rules.requireNumber(token)
  }
  return value
}

function moveThrough(open: Open[], token: string): void {
  if (token === '{') open.push(new Set())
  if (token === '[') open.push(null)
  if (token === '}' || token === ']') open.pop()
  if (open.length > MAX_DEPTH) throw new Error('The file is nested too deeply.')
}

function noteName(names: Open, token: string): void {
  const name = String(JSON.parse(token))
  if (names?.has(name) === true) throw new Error(`The member ${JSON.stringify(name)} occurs twice.`)
  names?.add(name)
}

function requireWhole(token: string): void {
  if (LONE_SURROGATE.test(String(JSON.parse(token)))) throw new Error(`The text ${token} holds a lone surrogate.`)
}

/** Throws unless the number is an integer in its only canonical form, as all numbers of packs are. */
function requireExact(token: string): void {
  if (String(Number(token)) !== token || !Number.isSafeInteger(Number(token))) {
    throw new Error(`The number ${token} is not written as packs write numbers.`)
  }
}

function requireBounded(token: string): void {
  if (Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER) throw new Error(`The number ${token} is too large.`)
}
