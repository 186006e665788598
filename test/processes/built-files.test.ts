/** The scripts and styles of the built portal, as browsers get them. */
import { readdirSync, readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from './cluster'

const CHUNKS = '.next/static/chunks'
const names = readdirSync(CHUNKS)
const nameOf = (extension: string) => names.find((name) => name.endsWith(extension)) ?? ''
const script = nameOf('.js')

interface Received {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

describe('built files', () => {
  let server: Cluster
  beforeAll(async () => {
    server = await startCluster({ size: 1, databaseUrl: null })
  })
  afterAll(() => server.stop())

  /** As it travels: neither the address nor what is answered is touched. */
  function get(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> {
    const { port } = new URL(server.baseUrl)
    return new Promise((resolve, reject) => {
      request({ host: 'localhost', port, path: address, method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) })
        })
      })
        .on('error', reject)
        .end()
    })
  }

  const chunk = (name: string) => `/_next/static/chunks/${name}`

  test.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip;q=0.8', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    ['vibrant', undefined, (bytes: Buffer) => bytes],
  ])('a browser that accepts "%s" gets a script encoded as %s', async (accepted, encoding, decode) => {
    const { status, headers, body } = await get(chunk(script), { 'accept-encoding': accepted })
    expect([status, headers['content-encoding']]).toEqual([200, encoding])
    expect(headers['content-length']).toBe(String(body.length))
    expect(decode(body).equals(readFileSync(path.join(CHUNKS, script)))).toBe(true)
  })

  test('every script and style is stored in both encodings, each smaller than the file', () => {
    for (const name of names.filter((one) => /\.(?:js|css)$/.test(one))) {
      const [plain, brotli, gzip] = ['', '.br', '.gz'].map(
        (twin) => readFileSync(path.join(CHUNKS, name + twin)).length,
      )
      expect(brotli, name).toBeLessThan(plain ?? 0)
      expect(gzip, name).toBeLessThan(plain ?? 0)
    }
  })

  test.each([
    ['.js', 'application/javascript; charset=UTF-8'],
    ['.css', 'text/css; charset=UTF-8'],
  ])('a file *%s is %s, kept for good, with the headers that every answer has', async (extension, type) => {
    const { headers } = await get(chunk(nameOf(extension)), { 'accept-encoding': 'br' })
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "frame-ancestors 'none'",
    })
  })

  test('what a browser has already is not sent again, and stays kept', async () => {
    const first = await get(chunk(script), { 'accept-encoding': 'br' })
    const again = await get(chunk(script), { 'accept-encoding': 'br', 'if-none-match': first.headers.etag ?? '' })
    expect([again.status, again.body.length]).toEqual([304, 0])
    expect(again.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('HEAD has the headers alone, and a part of a file is not served as one', async () => {
    const head = await get(chunk(script), { 'accept-encoding': 'br' }, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    const ranged = await get(chunk(script), { range: 'bytes=9-1' })
    expect([ranged.status, ranged.body.length]).toEqual([200, readFileSync(path.join(CHUNKS, script)).length])
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is not allowed', async (method) => {
    for (const address of [chunk(script), '/_next/static/chunks/unknown.js', '/_next/static/']) {
      const { status, headers } = await get(address, {}, method)
      expect([status, headers.allow], address).toEqual([405, 'GET, HEAD'])
    }
  })

  test.each(['GET', 'POST'])('no %s request has an image resized', async (method) => {
    const image = '/icons/icon-512.png'
    expect((await get(image)).status).toBe(200)
    const { status, headers } = await get(`/_next/image?url=${encodeURIComponent(image)}&w=384&q=75`, {}, method)
    expect(status).toBe(404)
    expect(headers['content-type']).not.toContain('image')
  })

  test.each([
    '/_next/static/chunks/unknown.js',
    '/_next/static/../../package.json',
    '/_next/static/%2e%2e/%2e%2e/package.json',
    '/_next/static/..%2f..%2fpackage.json',
    '/_next/static/chunks/..%5c..%5c..%5cpackage.json',
    '/_next/static/../BUILD_ID',
    '/_next/static/chunks',
    '/_next/static/%zz',
    '/_next/static/%2fetc/passwd',
  ])('there is nothing at %s, and nobody keeps that answer', async (address) => {
    const { status, headers, body } = await get(address, { 'accept-encoding': 'br' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(headers['cache-control'] ?? '').not.toContain('immutable')
    expect(body.toString()).not.toContain('countersign"')
  })
})
