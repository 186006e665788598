import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** `docs/claims.md` as lists: the tests with the sentences below each, and the reasons with those that promise nothing. */
function readPage() {
  const [, checked = '', harmless = ''] = read('docs/claims.md').split(/^## .+$/m)
  const itemsOf = (part: string) =>
    part
      .split(/^- /m)
      .slice(1)
      .map((item) => {
        const [first = '', ...rest] = item.trim().split('\n')
        return { first, says: rest.map((line) => line.replace(/^ {2}- /, '')) }
      })
  const claims = itemsOf(checked).map(({ first, says }) => {
    const [, file = first, title = ''] = /^`([^`]+)` «(.+)»$/.exec(first) ?? []
    return { file, title, says }
  })
  return { claims, listed: [...claims, ...itemsOf(harmless)].flatMap(({ says }) => says) }
}

/** Words with which a sentence promises something. What a function is given stands as “…”. */
const PROMISES = /\b(?:never|always|only|nobody|every|everybody|cannot|at once|nothing)\b/i
const GIVEN = '…'
/** What no text writes by itself. */
const MARKER = 7_000_001
/** A sentence has some words; labels and names are shorter. */
const isSentence = (text: string) => /^\S+(?:\s+\S+){2,}/u.test(text)

const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(String(MARKER), GIVEN)
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => PROMISES.test(sentence) && isSentence(sentence))

/** Every text below a value; functions are called with a number. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') {
    return textsOf(
      Reflect.apply(
        value,
        undefined,
        Array.from({ length: value.length }, () => MARKER),
      ),
    )
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const filesBelow = (folder: string, name: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => path.join(folder, file))

/** What the pages say, in English; `texts.test.ts` holds the other languages to it. */
async function readPageSentences(): Promise<string[]> {
  const found: string[] = []
  for (const file of filesBelow('components', /(?:^|[/-])messages\.ts$/)) {
    const module: Record<string, unknown> = await import(path.join(root, file))
    for (const value of Object.values(module)) {
      if (typeof value === 'object' && value !== null && 'en' in value) found.push(...textsOf(value.en))
    }
  }
  return found.flatMap(sentencesOf)
}

/** A file that sends messages: it hands their words to the notifications. */
const sendsMessages = (file: string): boolean => /import [^;]*?\bfrom '[^']*shared\/notifications'/.test(read(file))

/** A text of a source, put together from its parts; null where the node is none. */
function wordsOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => GIVEN + literal.text).join('')
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [wordsOf(node.left), wordsOf(node.right)]
  return left === null || right === null ? null : left + right
}

/** The texts of a source. */
function literalsOf(file: string): string[] {
  const found: string[] = []
  const look = (node: ts.Node): void => {
    // What an error says stands in answers and logs, not in messages.
    if (ts.isNewExpression(node)) return
    const words = wordsOf(node)
    if (words === null) ts.forEachChild(node, look)
    else found.push(words)
  }
  look(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))
  return found
}

/** What messages say, in English; `words.test.ts` holds the other languages to it. */
const isTexts = (file: string): boolean => /shared\/notifications\/texts\/[\w-]+\.ts$/.test(file)

const readMailSentences = (): string[] =>
  filesBelow('server', /(?<!\.test)\.ts$/)
    .filter((file) => isTexts(file) || sendsMessages(file))
    .flatMap(literalsOf)
    .flatMap(sentencesOf)

/** Whether a source has the title as a text of its own. */
function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(quote + title.replaceAll(quote, `\\${quote}`) + quote))
}

describe('docs/claims.md', async () => {
  const said = [...new Set([...(await readPageSentences()), ...readMailSentences()])]
  const { claims, listed } = readPage()

  test('pages and messages claim nothing that is not in the list', () => {
    expect(said.length).toBeGreaterThan(100)
    expect(said.filter((sentence) => !listed.includes(sentence))).toEqual([])
  })

  test('the list holds each sentence once, and none that nothing says any more', () => {
    expect(listed.filter((sentence, at) => listed.indexOf(sentence) !== at)).toEqual([])
    expect(listed.filter((sentence) => !said.includes(sentence))).toEqual([])
  })

  test('every claim names a test that exists', () => {
    const missing = claims.filter(
      ({ file, title }) => !existsSync(path.join(root, file)) || !hasTitle(read(file), title),
    )
    expect(missing).toEqual([])
  })

  test('a claim that nobody listed is noticed, in whatever text', () => {
    expect(sentencesOf('A fine shop. Your money is never lost. Pay now.')).toEqual(['Your money is never lost.'])
    const made = textsOf({ one: { text: (name: string) => `${name} cannot pay here` } })
    expect(made.flatMap(sentencesOf)).toEqual(['… cannot pay here'])
  })
})
