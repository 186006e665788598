/** Decision D30: what programs ask at an unknown address, and of an unknown request, is answered in one way. */
import { describe, expect, test } from 'vitest'
import { readyAgent, withApp } from '../oauth/setup'
import { type Agent, exchange, must } from '../support/actors'
import type { App } from '../support/app'

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

const PREFIXES =
  'oauth wallet settlement audit privacy federation oid4vci eudiw operator webhooks .well-known merchant_test discovery'

describe('an unknown address', () => {
  test.each(PREFIXES.split(' '))('D30 below /%s is JSON, whatever Accept and method say', async (prefix) => {
    const paths = [
      `/${prefix}`,
      `/${prefix}/`,
      `/${prefix}/no/such`,
      `/${prefix}//no`,
      `//${prefix}/no`,
      `/${prefix}/no//`,
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await exchange(app.baseUrl + path, { method, headers: { accept: 'text/html' } })
        const said = [path, answer.status, answer.headers.get('content-type'), answer.json['error']]
        expect(said).toEqual([path, 404, 'application/json', 'not_found'])
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      }
    }
  })

  test('D30 is JSON also where a known path has more slashes, or letters of its prefix are encoded', async () => {
    for (const path of ['/oauth//par', '/oauth/par/', '/wallet//limits', '/%6fauth/no', '/.well-known//no']) {
      const answer = await exchange(app.baseUrl + path, { headers: { accept: 'text/html' } })
      expect([path, answer.status, answer.json['error']]).toEqual([path, 404, 'not_found'])
    }
  })
})

describe('a request_uri', () => {
  test('D30 that is unknown, too long or blank is invalid_request_uri', async () => {
    for (const uri of ['urn:x', 'u'.repeat(513), 'u'.repeat(4_000), '%20']) {
      const answer = await exchange(`${app.baseUrl}/oauth/authorize?client_id=${agent.clientId}&request_uri=${uri}`)
      expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request_uri'])
    }
  })

  test('D30 that is unknown has one status body', async () => {
    const { form } = await agent.purchase()
    const used = must(await agent.push(form), 201).request_uri
    await agent.authorize(used)
    const unknown = [
      encodeURIComponent(used),
      'urn:ietf:params:oauth:request_uri:unknown',
      'u'.repeat(513),
      '%E0%A4%A',
      '%00',
      '%20',
      '',
    ]
    const bodies = new Set<string>()
    for (const uri of unknown) {
      const answer = await exchange(`${app.baseUrl}/oauth/par/${uri}/status`)
      expect([uri, answer.status]).toEqual([uri, 404])
      bodies.add(answer.text)
    }
    expect([...bodies]).toEqual([expect.stringContaining('"error":"not_found"')])
  })
})
