import { afterAll, beforeAll, expect, test } from 'vitest'
import { redirectErrorCodes, statusOfCode } from '@/server/base/core/errors'
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
