import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import { redirectErrorCodes, statusOfCode } from '@/server/base/core/errors'
import { operations } from '@/server/operations'
import { refusalsOf } from '@/server/surfaces/openapi/document'
import { documents } from '@/server/surfaces/openapi/documents'
import { EVERYWHERE } from '@/server/surfaces/openapi/error-index'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'
import { examplesOf, expectationsOf, runExamples, shownLine } from '../support/doc-examples'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/oauth.md'), 'utf8')
const examples = examplesOf(page)
const tags = ['Metadata', 'Clients', 'Authorization', 'Tokens', 'Consent', 'Status list']

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

describe('the examples', () => {
  test('the examples are one program that prints what the page says', async () => {
    const { status, stderr, lines } = await runExamples(app, examples.join('\n'))
    expect(status, stderr).toBe(0)
    expect(lines).toEqual(examples.flatMap(expectationsOf).map(shownLine))
    expect(lines).toContain('settlement succeeded 1200 EUR')
  })

  test('each example except the helpers prints something', () => {
    const [, ...others] = examples
    expect(others.filter((block) => expectationsOf(block).length === 0)).toEqual([])
    expect(page.match(/^```\w+$/gm)).toHaveLength(examples.length)
  })
})

const sections = page.split(/^## /m).slice(1)
const addressesOf = (section: string): readonly string[] =>
  (section.split('\n')[0] ?? '').match(/(?:GET|POST) \/\S+/g) ?? []
const sectionOf = (address: string) => sections.find((section) => addressesOf(section).includes(address)) ?? ''
/** What agents may spend is about money, which is documented elsewhere. */
const isAboutAgents = (address: string) => address.startsWith('/wallet/agents') && !address.endsWith('/limits')
const endpoints = operations
  .filter(({ endpoint }) => tags.includes(endpoint.tag) || isAboutAgents(endpoint.path))
  .map(({ endpoint }): [address: string, EndpointShape] => [`${endpoint.method} ${endpoint.path}`, endpoint])

/** Everything that a contract lets callers send: parameters, wherever they travel, and headers. */
function inputsOf({ params, query, body, headers = [] }: EndpointShape): string[] {
  const schemas = [params, query, body !== undefined && 'schema' in body ? body.schema : undefined]
  const named = schemas.flatMap((schema) =>
    schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : [],
  )
  return [...named, ...headers]
}

function refusedWith(section: string): string[] {
  const [paragraph = ''] = /^\*\*Refusals:\*\*[\s\S]*?(?=\\$|^$)/m.exec(section) ?? []
  return [...paragraph.matchAll(/\[(\w+)\]/g)].map(([, code = '']) => code)
}

describe('the sections', () => {
  test('every endpoint has a section, and there is no other section', () => {
    const served = endpoints.map(([address]) => address)
    expect(sections.flatMap(addressesOf).toSorted()).toEqual(served.toSorted())
  })

  test.each(endpoints)('the section of %s names every parameter and header', (address, endpoint) => {
    const section = sectionOf(address).toLowerCase()
    const missing = inputsOf(endpoint).filter((name) => !section.includes(`\`${name}\``))
    expect(missing).toEqual([])
  })

  test.each(endpoints)('the section of %s lists the refusals of the contract', (address, endpoint) => {
    const listed = refusedWith(sectionOf(address)).filter((code) => !EVERYWHERE.has(code as never))
    // A form of another media type is invalid_request.
    const declared = [...refusalsOf(endpoint)].filter((code) => !EVERYWHERE.has(code))
    expect(listed.toSorted()).toEqual(declared.toSorted())
  })

  test('links to error codes lead to existing codes', () => {
    const codes = new Set<string>([...Object.keys(statusOfCode), ...redirectErrorCodes])
    const links = [...page.matchAll(/\/docs\/errors#(\w+)/g)].map(([, code = '']) => code)
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((code) => !codes.has(code))).toEqual([])
  })
})

test('GET /docs/oauth shows the page with every link resolved', async () => {
  const { status, headers, text: html } = await exchange(`${app.baseUrl}/docs/oauth`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(html).toContain('<h2 id="post-oauth-par">')
  expect(html).toContain('<a href="/docs/errors#invalid_client">invalid_client</a>')
  const prose = html.replaceAll(/<code[\s\S]*?<\/code>/g, '')
  expect(prose.match(/\[\w+\]/g)).toBeNull()
  const addresses = new Set([...html.matchAll(/href="(\/[^"#]*)/g)].map(([, address = '']) => address))
  const pages = [...Object.keys(documents), 'errors'].map((name) => `/docs/${name}`)
  expect([...addresses].toSorted()).toEqual(['/docs', ...pages].toSorted())
  for (const address of addresses) expect((await exchange(app.baseUrl + address)).status).toBe(200)
})
