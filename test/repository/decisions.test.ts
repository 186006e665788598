/** Each decision on privacy (D49 to D64) and on the audit chain (E65 to E69) has a test whose title begins with it. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const folders = ['server', 'test', 'scripts', 'e2e']

const numbers = (letter: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${letter}${from + at}`)

/** The codes with which titles begin, such as `'D53 D55 answers at once …'`. */
function codesOf(source: string): string[] {
  const titles = source.matchAll(
    /\b(?:test|describe)(?:\.each)?\([^'"`]*?['"`]((?:[A-Z]\d{1,2} )+)|^ +['"`]((?:D\d\d )+)/gm,
  )
  return [...titles].flatMap(([, first, second]) => (first ?? second ?? '').trim().split(' '))
}

test('each of the decisions 49 to 69 is named by the title of a test', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:test|spec)\.ts$/.test(name))
      .map((name) => path.join(root, folder, name)),
  )
  const named = new Set(files.flatMap((file) => codesOf(readFileSync(file, 'utf8'))))
  const decided = [...numbers('D', 49, 64), ...numbers('E', 65, 69)]
  expect(decided.filter((code) => !named.has(code))).toEqual([])
})
