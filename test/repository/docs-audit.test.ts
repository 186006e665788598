import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '@/server/operations'
import { type App, startApp } from '../support/app'
import { examplesOf, expectationsOf, runExamples, shownLine } from '../support/doc-examples'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/audit.md'), 'utf8')
const examples = examplesOf(page)

let app: App
beforeAll(async () => {
  app = await startApp({ seed: false })
})
afterAll(() => app.close())

test('the examples are one program that prints what the page says', async () => {
  const { status, stderr, lines } = await runExamples(app, examples.join('\n'))
  expect(status, stderr).toBe(0)
  expect(lines).toEqual(examples.flatMap(expectationsOf).map(shownLine))
  expect(lines).toContain('entry 3 is in the tree true')
})

test('every endpoint of the audit chain is named', () => {
  const paths = operations.map(({ endpoint }) => endpoint.path).filter((one) => /^\/audit|audit-chain/.test(one))
  expect(paths).toHaveLength(6)
  expect(paths.filter((one) => !page.includes(one))).toEqual([])
})
