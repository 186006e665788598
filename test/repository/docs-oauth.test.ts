import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import { redirectErrorCodes, statusOfCode } from '@/server/base/core/errors'
import { operations } from '@/server/operations'
import { refusalsOf } from '@/server/surfaces/openapi/document'
import { EVERYWHERE } from '@/server/surfaces/openapi/error-index'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/oauth.md'), 'utf8')
const examples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
const expectations = (block: string) =>
  [...block.matchAll(/^console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line = '']) => line)
const tags = ['Metadata', 'Clients', 'Authorization', 'Tokens', 'Consent', 'Status list']

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Runs an ES module in a process of its own, where it finds the packages of this repository. */
async function run(program: string) {
  const child = spawn(process.execPath, ['--input-type=module'], {
    cwd: root,
    env: { ...process.env, BASE_URL: app.baseUrl, OPERATOR_TOKEN: app.operatorToken },
    timeout: 25_000,
  })
  const ended = once(child, 'close')
  child.stdin.end(program)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await ended
  return { status: child.exitCode, stderr, lines: stdout.trimEnd().split('\n') }
}

/** A line of output as the page shows it, where `…` stands for anything. */
const shown = (line: string) => expect.stringMatching(new RegExp(`^${line.split('…').map(escaped).join('.+')}$`))
const escaped = (literal: string) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

describe('the examples', () => {
  test('the examples are one program that prints what the page says', async () => {
    const { status, stderr, lines } = await run(examples.join('\n'))
    expect(status, stderr).toBe(0)
    expect(lines).toEqual(examples.flatMap(expectations).map(shown))
    expect(lines).toContain('settlement succeeded 1200 EUR')
  })

  test('each example except the helpers prints something', () => {
    const [, ...others] = examples
    expect(others.filter((block) => expectations(block).length === 0)).toEqual([])
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
  expect([...addresses].toSorted()).toEqual(['/docs', '/docs/errors', '/docs/oauth', '/docs/payments'])
  for (const address of addresses) expect((await exchange(app.baseUrl + address)).status).toBe(200)
})
