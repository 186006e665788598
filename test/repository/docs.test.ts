import { afterAll, beforeAll, expect, test } from 'vitest'
import { redirectErrorCodes, statusOfCode } from '@/server/base/core/errors'
import type { Platform } from '@/server/base/core/platform'
import { operations } from '@/server/operations'
import { buildDocument } from '@/server/surfaces/openapi/document'
import { documents } from '@/server/surfaces/openapi/documents'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp({ seed: false })
})
afterAll(() => app.close())

const page = (path: string) => exchange(`${app.baseUrl}${path}`)

test('every error_uri leads to the explanation of its code', async () => {
  const { text, headers } = await page('/docs/errors')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const code of [...Object.keys(statusOfCode), ...redirectErrorCodes]) expect(text).toContain(`<h2 id="${code}">`)
  const refused = await page('/oauth/authorize')
  expect(refused.json['error_uri']).toBe(`${app.baseUrl}/docs/errors#invalid_request`)
  expect((await page('/nowhere')).status).toBe(404)
})

test('the error index lists the endpoints of each code', async () => {
  const { text } = await page('/docs/errors')
  const [, section = ''] = text.split('<h2 id="invalid_target">')
  expect(section.split('<h2')[0]).toContain('<code>POST /oauth/par</code>, <code>POST /oauth/token</code>')
  const unnamed = text.split('<h2 ').filter((part) => part.includes('<strong>From:</strong> </p>'))
  expect(unnamed).toEqual([])
})

test('the error index gives each status of a code, and where it is another than usual', async () => {
  const { text } = await page('/docs/errors')
  const sectionOf = (code: string) => text.split(`<h2 id="${code}">`)[1]?.split('<h2')[0]
  expect(sectionOf('access_denied')).toContain('(status 400; 403 at <code>POST /merchant_test/charge</code>,')
  expect(sectionOf('access_denied')).toContain('<code>POST /settlement/settle</code>)')
  expect(sectionOf('use_dpop_nonce')).toContain(
    '(status 400; 401 at <code>POST /sandbox/merchants/{merchant_id}/payments</code>)',
  )
  expect(sectionOf('invalid_target')).toContain('(status 400)')
})

test.each([...Object.keys(documents), 'errors'])('each link of /docs/%s leads somewhere', async (name) => {
  const { text } = await page(`/docs/${name}`)
  const prose = text.replaceAll(/<(pre|code|style)\b.*?<\/\1>/gs, '')
  expect(prose.match(/\[[^\]]*\]/g) ?? []).toEqual([])
  const links = [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href)
  const ours = new Set(links.filter((href) => !href.startsWith('https://')))
  expect(ours.size).toBeGreaterThan(3)
  for (const href of ours) {
    const [address = '', anchor] = href.split('#')
    const target = address === '' ? text : (await page(address)).text
    expect([href, target.startsWith('<!doctype html>')]).toEqual([href, true])
    if (anchor !== undefined) expect([href, target.includes(` id="${anchor}"`)]).toEqual([href, true])
  }
})

test('/llms.txt names each page of documentation with its address', async () => {
  const { status, headers, text } = await page('/llms.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => address.replace(app.baseUrl, ''))
  expect(addresses).toEqual(expect.arrayContaining(Object.keys(documents).map((name) => `/docs/${name}`)))
  for (const address of addresses) expect([address, (await page(address)).status]).toEqual([address, 200])
})

const describedAs = (config: object) =>
  buildDocument(operations, { config: { baseUrl: app.baseUrl, sandbox: true, ...config } } as Platform)

test('openapi.json says that wallet endpoints take Bearer only where they do', () => {
  const schemeOf = (requireDpop: boolean) => describedAs({ requireDpop }).components?.securitySchemes?.['accessToken']
  expect(schemeOf(true)).toMatchObject({ description: 'DPoP-bound access token.' })
  expect(schemeOf(false)).toMatchObject({ description: 'DPoP-bound access token; wallet endpoints also take Bearer.' })
})

test('openapi.json lists every status that an endpoint answers with', () => {
  const { paths = {} } = describedAs({ requireDpop: false })
  const { responses: order = {} } = paths['/sandbox/merchants/{merchant_id}/payments']?.post ?? {}
  expect(Object.keys(order)).toEqual(expect.arrayContaining(['200', '201', '401', '422']))
  expect(order['401']).toMatchObject({ description: 'use_dpop_nonce, invalid_token' })
  expect(order['422']).toMatchObject({
    description: expect.stringMatching(/^Typed validation failed, mandate_invalid, .*invalid_request/) as unknown,
    content: { 'application/json': { schema: { anyOf: [{}, { $ref: '#/components/schemas/Error' }] } } },
  })
  const { responses: ready = {} } = paths['/readyz']?.get ?? {}
  expect(Object.keys(ready)).toEqual(['200', '503'])
})

test('openapi.json describes answers that have no body, another media type or two forms of error', () => {
  const { paths = {} } = describedAs({ requireDpop: false })
  expect(paths['/oauth/revoke']?.post?.responses?.['200']).toEqual({ description: 'Success' })
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/OAuthValidationError' } } }
  expect(paths).toMatchObject({
    '/oauth/status-list': {
      get: { responses: { 200: { content: { 'application/statuslist+jwt': {} } }, 304: {} } },
    },
    '/wallet/policy/{merchant_audience}/list': { get: { responses: { 422: {} } } },
    '/oauth/introspect': { post: { responses: { 422: { content } } } },
    '/federation/fetch': { get: { responses: { 422: { content } } } },
    '/federation/trust-mark-status': {
      get: { responses: { 200: { content: { 'application/trust-mark-status-response+jwt': {} } } } },
    },
    '/sandbox/outbox': { get: { responses: { 200: { content: { 'application/json': {}, 'text/html': {} } } } } },
  })
})

test('openapi.json describes every tag, and where a redirect leads', () => {
  const { tags = [], paths = {} } = describedAs({ requireDpop: false })
  expect(tags.filter(({ description }) => description === undefined)).toEqual([])
  expect(paths['/oauth/authorize']?.get?.responses?.['302']).toMatchObject({
    headers: { Location: { required: true } },
  })
})

test('openapi.json names the media types of files', () => {
  const { paths = {} } = describedAs({ requireDpop: false })
  const { responses: asset = {} } = paths['/docs/{asset}']?.get ?? {}
  expect(asset['200']).toMatchObject({ content: { 'text/html': {}, 'text/css': {}, 'text/javascript': {} } })
})
