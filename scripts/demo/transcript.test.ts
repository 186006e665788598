import { expect, test } from 'vitest'
import { Transcript } from './transcript'

const BASE_URL = 'http://localhost:7000'
const words = `open ${BASE_URL}/approve/q8T2 — the page must show the code 47\nand eyJhbGciOiJFZERTQSJ9.e30.c2ln`

/** Returns what a transcript writes of what a host hears. */
function heard(placeholdersFor: string | null): string[] {
  const lines: string[] = []
  new Transcript({ placeholdersFor, write: (line) => void lines.push(line) }).hears(words)
  return lines
}

test('a transcript shows the links and codes of its run, and no tokens', () => {
  expect(heard(null)).toEqual([`   hears   open ${BASE_URL}/approve/q8T2 — the page must show the code 47 and eyJ…`])
})

test('a transcript with placeholders reads the same in every run', () => {
  expect(heard(BASE_URL)).toEqual([
    '   hears   open http://localhost:3000/approve/<handle> — the page must show the code <nn> and eyJ…',
  ])
})
