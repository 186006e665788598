import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { refusedTypeNames, refusedWords } from '@/scripts/plain-words.js'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const [, refused = ''] = read('docs/GLOSSARY.md').split(/^## Words that are not used$/m)

test('docs/GLOSSARY.md lists the words that the linter refuses, with what to write instead', () => {
  const rows = [...refused.matchAll(/^\| (\w+) +\| (.+?) +\|$/gm)].map(([, word, instead]) => [word, instead])
  expect(rows.slice(1)).toEqual(Object.entries(refusedWords))
})

test('docs/GLOSSARY.md lists the type names that the linter refuses', () => {
  const [, names = ''] = /^It refuses these names of types[^:]*: ([^.]+)\.$/m.exec(refused) ?? []
  expect(names.split(/,\s+/).map((name) => name.replaceAll('`', ''))).toEqual(refusedTypeNames)
})

const pages = ['README.md', 'CONTRIBUTING.md', 'tool-server/README.md', 'verify/README.md'].concat(
  ['docs', 'docs/adr'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((file) => file.endsWith('.md') && file !== 'GLOSSARY.md')
      .map((file) => path.join(folder, file)),
  ),
)

test.each(pages)('%s uses none of the refused words', (page) => {
  const words = new RegExp(String.raw`\b(?:${Object.keys(refusedWords).join('|')})\b`, 'gi')
  expect(read(page).match(words)).toBeNull()
})

test('the glossary has one row for each word', () => {
  const words = [...read('docs/GLOSSARY.md').matchAll(/^\| \*\*(.+?)\*\* /gm)].map(([, word]) => word)
  expect(words.length).toBeGreaterThan(50)
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
})
