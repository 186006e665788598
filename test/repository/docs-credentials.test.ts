import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '@/server/operations'
import { type App, startApp } from '../support/app'
import { examplesOf, expectationsOf, runExamples, shownLine } from '../support/doc-examples'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/credentials.md'), 'utf8')
const examples = examplesOf(page)

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('the examples about credentials are one program that prints what the page says', async () => {
  const { status, stderr, lines } = await runExamples(app, examples.join('\n'))
  expect(status, stderr).toBe(0)
  expect(lines).toEqual(examples.flatMap(expectationsOf).map(shownLine))
  expect(lines).toContain('true valid true')
})

test('every endpoint of credentials and presentations is named', () => {
  const ours =
    /^\/(?:oid4vci|eudiw|vct\/[as]|operator\/(?:trust-lists|relying-party|credentials))|openid-credential-issuer$/
  const paths = operations.map(({ endpoint }) => endpoint.path).filter((one) => ours.test(one))
  expect(new Set(paths).size).toBeGreaterThan(12)
  expect(paths.filter((one) => !page.includes(one))).toEqual([])
})
