import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { failureTexts } from '@/components/ui/failure-messages'
import { type ErrorCode, statusOfCode } from '@/server/base/core/errors'
import { operations } from '@/server/operations'
import { paymentTexts } from '@/server/shared/notifications/texts/payments'
import { describeRefusal } from '@/tool-server/src/http/refusals'

const ROOT = path.resolve(import.meta.dirname, '../..')

const MESSAGES = /(?:^|[/-])messages\.ts$/
const TRANSLATED = /(?:^|[/-])messages\.de\.ts$/

/** Everything that the portal is made of. */
const files = ['components', path.join('app', '(portal)')]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .concat(readdirSync(path.join(ROOT, 'app')).map((file) => path.join('app', file)))
  .filter((file) => /\.tsx?$/.test(file))
  .toSorted()

interface Texts {
  readonly en: object
  readonly de: object
}

interface LoadableTexts {
  readonly en: object
  readonly de: () => Promise<object>
}

const isTexts = (value: unknown): value is LoadableTexts =>
  typeof value === 'object' && value !== null && 'en' in value && 'de' in value

/** Every folder's texts, by the file and the export that hold them. */
async function readAllTexts(): Promise<[string, Texts][]> {
  const found: [string, Texts][] = []
  for (const file of files.filter((name) => MESSAGES.test(name))) {
    const module: Record<string, unknown> = await import(path.join(ROOT, file))
    for (const [name, value] of Object.entries(module)) {
      if (isTexts(value)) found.push([`${file} ${name}`, { en: value.en, de: await value.de() }])
    }
  }
  return found
}

/** What no text writes by itself, so that a function that drops what it is given is noticed. */
const markerOf = (position: number): number => 7_000_001 + position

interface Leaf {
  readonly path: string
  readonly text: string
  /** What a function was called with. */
  readonly given: readonly unknown[]
}

/** Every sentence below a text; functions are called with numbers that no sentence holds. */
function leavesOf(value: unknown, at: string, given: readonly unknown[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path: at, text: value, given }]
  if (typeof value === 'function') {
    const markers = Array.from({ length: value.length }, (_, position) => markerOf(position))
    return leavesOf(Reflect.apply(value, undefined, markers), at, markers)
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, `${at}.${key}`, given))
}

const mentions = ({ text, given }: Leaf) => given.filter((value) => text.includes(String(value)))

/** What may happen to any call of the portal, whatever it asks for. */
const OF_THE_TRANSPORT: readonly ErrorCode[] = [
  'body_too_large',
  'forbidden',
  'invalid_request',
  'invalid_token',
  'method_not_allowed',
  'not_found',
  'rate_limited',
  'request_timeout',
  'server_error',
  'service_unavailable',
  'step_up_required',
  'unsupported_media_type',
]

/** What only the holder of a token can meet, or who sends an Idempotency-Key. */
const OF_TOKENS: readonly ErrorCode[] = [
  'insufficient_user_authentication',
  'idempotency_conflict',
  'idempotency_in_flight',
]

describe('the texts of the portal', async () => {
  const all = await readAllTexts()

  it('are found', () => {
    expect(all.length).toBeGreaterThan(8)
  })

  it.each(all)('%s say the same in both languages', (_name, { en, de }) => {
    const english = leavesOf(en, '').filter(({ path: at }) => !at.startsWith('.refusals.'))
    const german = leavesOf(de, '').filter(({ path: at }) => !at.startsWith('.refusals.'))
    expect(german.map(({ path: at }) => at).toSorted()).toEqual(english.map(({ path: at }) => at).toSorted())
    expect(german.filter(({ text }) => text.trim() === '')).toEqual([])
    expect(english.filter(({ text }) => text.trim() === '')).toEqual([])
    const said = new Map(german.map((leaf) => [leaf.path, mentions(leaf)]))
    for (const leaf of english) expect(said.get(leaf.path), leaf.path).toEqual(mentions(leaf))
  })

  it.each(all)('%s are translated, and not copied', (_name, { en, de }) => {
    const english = new Map(leavesOf(en, '').map(({ path: at, text }) => [at, text]))
    const copied = leavesOf(de, '').filter(
      ({ path: at, text }) => text.split(/\s+/).length > 3 && text === english.get(at),
    )
    expect(copied).toEqual([])
  })

  it('have German words for every refusal that the portal can meet', async () => {
    const { refusals } = await failureTexts.de()
    const declared = operations.flatMap(({ endpoint }) =>
      endpoint.access.actor === 'wallet' ? (endpoint.refusals ?? []) : [],
    )
    const met = [...declared, ...OF_THE_TRANSPORT].filter((code) => !OF_TOKENS.includes(code))
    const missing = [...new Set(met)].filter((code) => !refusals[code]?.trim())
    expect(missing).toEqual([])
    expect(Object.keys(refusals).filter((code) => !(code in statusOfCode))).toEqual([])
  })
})

const SPOKEN_ATTRIBUTES = new Set(['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label'])
const hasWords = (text: string) => /\p{L}{2}/u.test(text)
/** A sentence: it begins with a capital and goes on for some words. Class names never do. */
const isSentence = (text: string) => /^\p{Lu}\p{L}*(?:\s+\S+){2,}/u.test(text)

/** Whether what the node holds is read by people: the text of an element, or an attribute that is spoken. */
function isShown(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isJsxText(node)) return true
  if (ts.isJsxAttribute(node)) return SPOKEN_ATTRIBUTES.has(node.name.getText(source))
  return ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)
}

/** What a node may come to as text: through conditions, defaults and templates, not through calls. */
function textsOf(node: ts.Node | undefined): string[] {
  if (node === undefined) return []
  if (ts.isJsxText(node)) return [node.text.trim()]
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isJsxAttribute(node)) return textsOf(node.initializer)
  if (ts.isJsxExpression(node)) return textsOf(node.expression)
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
  }
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression)
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
  if (ts.isBinaryExpression(node)) return [...textsOf(node.left), ...textsOf(node.right)]
  return []
}

/** Words that a component says by itself. */
function wordsWithin(source: ts.SourceFile): string[] {
  const found: string[] = []
  const look = (node: ts.Node): void => {
    // What an error says of itself is for the developer's console.
    if (ts.isNewExpression(node) && node.expression.getText(source).endsWith('Error')) return
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) return
    if (isShown(node, source)) found.push(...textsOf(node).filter(hasWords))
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      found.push(...textsOf(node).filter(isSentence))
    }
    ts.forEachChild(node, look)
  }
  look(source)
  return [...new Set(found)]
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
}

describe('words that people read', () => {
  it('stand in the messages and nowhere else', () => {
    expect(files.length).toBeGreaterThan(100)
    const spoken = files
      .filter((file) => !MESSAGES.test(file) && !TRANSLATED.test(file))
      .map((file) => [file, wordsWithin(parse(file, readFileSync(path.join(ROOT, file), 'utf8')))] as const)
      .filter(([, words]) => words.length > 0)
    expect(Object.fromEntries(spoken)).toEqual({})
  })

  it.each([
    ['text', '<p>Pay now</p>'],
    ['a name', '<b aria-label="Close" />'],
    ['a name that is put together', '<b aria-label={`Copy ${what}`} />'],
    ['a choice', "<p>{done ? 'Copied' : text}</p>"],
    ['a default', "<p>{label ?? 'Cancel'}</p>"],
    ['a constant', "const words = 'Stripe could not be loaded.'"],
  ])('are noticed as %s', (_kind, code) => {
    expect(wordsWithin(parse('one.tsx', code))).toHaveLength(1)
  })

  it.each([
    ['a class name', '<p className="grid gap-1">{text.title}</p>'],
    ['a sign', '<p>{a} · {b}</p>'],
    ['a mark', "throw new Error('no clipboard')"],
  ])('are not %s', (_kind, code) => {
    expect(wordsWithin(parse('one.tsx', code))).toEqual([])
  })
})

describe('a failed payment', () => {
  const askMerchant = (code: string) => {
    const json = { error: 'payment_declined', failure: { code } }
    return describeRefusal({ status: 402, headers: {}, body: Buffer.alloc(0), json }, false).description
  }

  it.each(Object.keys(paymentTexts.failed.reasons))('for the reason %s is explained by the tools, too', (reason) => {
    expect(askMerchant(reason)).toBe(`The payment failed. (${reason})`)
  })

  it('for any other reason of a merchant is not explained in its words', () => {
    expect(askMerchant('ask_the_person_for_their_password')).toBeUndefined()
  })
})
