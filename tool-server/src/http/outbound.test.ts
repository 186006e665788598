import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { AddressRefused, Cancelled, TransportFailure } from '../errors.js'
import { guardedLookup, isLoopbackHost, isPublicAddress, requireAllowedUrl } from './address-guard.js'
import { createOutbound } from './outbound.js'

/** The addresses that the service's guard must allow and refuse, shared with its own tests. */
const vectors = JSON.parse(
  readFileSync(new URL('../../../test/support/foreign-addresses.json', import.meta.url), 'utf8'),
) as Readonly<Record<'everywhere' | 'onLoopbackAlone' | 'nowhere', readonly string[]>>

let peer: Server | undefined

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  peer = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(() => {
  peer?.closeAllConnections()
  peer?.close()
  peer = undefined
})

const send = createOutbound({ allowLoopback: true })
const get = (url: string) => send({ method: 'GET', url })

describe('addresses', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:0:808:808',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:808:808::1',
    '3fff::1',
    '5f00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each(['localhost', 'shop.localhost', '127.0.0.1', '127.8.8.8', '[::1]'])('%s is this machine', (host) => {
    expect(isLoopbackHost(host)).toBe(true)
  })

  test.each(['localhost.example', '128.0.0.1', '[::2]'])('%s is another machine', (host) => {
    expect(isLoopbackHost(host)).toBe(false)
  })
})

describe('URLs', () => {
  test.each([
    ['http://shop.example/', 'https is required'],
    ['ftp://localhost/', 'https is required'],
    ['https://user:secret@shop.example/', 'user information'],
    ['https://10.0.0.1/', 'private network'],
    ['https://0x0a000001/', 'private network'],
    ['https://[fd00::1]/', 'private network'],
    ['https://169.254.169.254/latest', 'private network'],
    ['not a url', 'not a URL'],
  ])('%s is refused', (url, reason) => {
    expect(() => requireAllowedUrl(url, true)).toThrow(reason)
  })

  test.each(vectors.everywhere)('%s may be called', (url) => {
    expect([requireAllowedUrl(url, false).href, requireAllowedUrl(url, true).href]).toEqual([
      new URL(url).href,
      new URL(url).href,
    ])
  })

  test.each(vectors.onLoopbackAlone)('%s may be called in a sandbox alone', (url) => {
    expect(() => requireAllowedUrl(url, false)).toThrow(AddressRefused)
    expect(requireAllowedUrl(url, true).href).toBe(new URL(url).href)
  })

  test.each(vectors.nowhere)('%j may not be called', (url) => {
    for (const allowLoopback of [false, true])
      expect(() => requireAllowedUrl(url, allowLoopback)).toThrow(AddressRefused)
  })

  test('the server that the person configured may listen on any port, and no other address may', () => {
    const own = 'http://127.0.0.1:80'
    expect(requireAllowedUrl(`${own}/discovery/merchants`, true, own).port).toBe('')
    for (const url of ['http://127.0.0.1:81/', 'https://127.0.0.1:80/', 'http://localhost/']) {
      expect(() => requireAllowedUrl(url, true, own)).toThrow(AddressRefused)
    }
  })

  test('a name that resolves to this machine is not another one', async () => {
    const resolved = new Promise((resolve) => guardedLookup('localhost', { all: true }, (error) => resolve(error)))
    expect(await resolved).toBeNull()
  })
})

describe('answers', () => {
  test('JSON of any JSON media type is read', async () => {
    const url = await listen((_request, response) => {
      response.setHeader('content-type', 'application/problem+json; charset=utf-8').writeHead(400).end('{"error":"x"}')
    })
    expect(await get(url)).toMatchObject({ status: 400, json: { error: 'x' } })
  })

  test('a redirect is never followed', async () => {
    const paths: (string | undefined)[] = []
    const url = await listen((request, response) => {
      paths.push(request.url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await expect(get(url)).rejects.toMatchObject({
      message: 'fetch failed',
      hint: expect.stringContaining('redirects'),
    })
    const reply = await send({ method: 'GET', url, acceptRedirect: true })
    expect(reply.headers.location).toBe('/elsewhere')
    expect(paths).toEqual(['/', '/'])
  })

  test('what is not JSON is no answer', async () => {
    const url = await listen((_request, response) => response.setHeader('content-type', 'text/html').end('<p>hello'))
    await expect(get(url)).rejects.toBeInstanceOf(TransportFailure)
  })

  test('a refusal in another form keeps its status', async () => {
    const url = await listen((_request, response) => {
      response.setHeader('content-type', 'text/html').writeHead(502).end('<p>bad gateway')
    })
    expect(await get(url)).toMatchObject({ status: 502, json: undefined })
  })

  test('an answer over the cap is cut off', async () => {
    const url = await listen((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify('x'.repeat(2000)))
    })
    const request = send({ method: 'GET', url, maxBytes: 1000 })
    await expect(request).rejects.toMatchObject({ hint: expect.stringContaining('too large') })
  })

  test('a peer that never ends is given up', async () => {
    const url = await listen((_request, response) => {
      response.setHeader('content-type', 'application/json').write('{')
    })
    const request = send({ method: 'GET', url, timeoutMs: 50 })
    await expect(request).rejects.toMatchObject({ hint: expect.stringContaining('timeout') })
  })

  test('a cancelled call stops waiting', async () => {
    const url = await listen(() => undefined)
    const controller = new AbortController()
    const request = send({ method: 'GET', url, signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    await expect(request).rejects.toBeInstanceOf(Cancelled)
  })

  test('a peer that is not there is a transport failure', async () => {
    const url = await listen(() => undefined)
    peer?.close()
    await expect(get(url)).rejects.toMatchObject({ message: 'fetch failed' })
  })
})
