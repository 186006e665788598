import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'

/** A message, as a browser receives it. */
export interface ReceivedPush {
  /** The endpoint of the browser. */
  readonly endpoint: string
  readonly headers: IncomingMessage['headers']
  /** The message as the service worker reads it. */
  readonly message: Readonly<Record<string, unknown>>
  readonly bodyBytes: number
  /** The claims of the token in `Authorization`, whose signature was verified. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The fault of the next request: a status, a status with a header, a redirect, or no answer. */
export type PushFault = number | { readonly status: number; readonly retryAfter: string } | 'redirect' | 'hang'

/** A subscribed browser, in the form in which it registers itself. */
export interface PushBrowser {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly language: 'en' | 'de'
}

export interface PushService {
  readonly origin: string
  /** The messages that browsers could decrypt, in the order of arrival. */
  readonly received: readonly ReceivedPush[]
  /** The requests, including refused ones. */
  readonly requests: readonly string[]
  readonly faults: PushFault[]
  subscribe(language?: 'en' | 'de'): PushBrowser
  close(): Promise<void>
}

interface Secrets {
  readonly privateKey: Buffer
  readonly auth: Buffer
}

/** Starts a push service on this machine that knows its subscribed browsers, decrypts for them, and can fail. */
export async function startPushService(): Promise<PushService> {
  const received: ReceivedPush[] = []
  const requests: string[] = []
  const faults: PushFault[] = []
  const browsers = new Map<string, Secrets>()
  let origin = ''
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const endpoint = origin + (request.url ?? '')
      requests.push(endpoint)
      const fault = faults.shift()
      if (fault !== undefined) return misbehave(response, fault, origin)
      const secrets = browsers.get(endpoint)
      if (secrets === undefined) return void response.writeHead(404).end()
      const claims = await verifyVapid(request.headers.authorization ?? '', origin)
      if (claims === null) return void response.writeHead(403).end()
      const message = JSON.parse(decrypt(body, secrets)) as Record<string, unknown>
      received.push({ endpoint, headers: request.headers, message, bodyBytes: body.length, claims })
      response.writeHead(201, { location: `${endpoint}/message` }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    requests,
    faults,
    subscribe: (language = 'en') => {
      const keys = createECDH('prime256v1')
      const auth = randomBytes(16)
      const endpoint = `${origin}/push/${randomBytes(16).toString('hex')}`
      const p256dh = keys.generateKeys('base64url')
      browsers.set(endpoint, { privateKey: keys.getPrivateKey(), auth })
      return { endpoint, p256dh, auth: auth.toString('base64url'), language }
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function misbehave(response: ServerResponse, fault: PushFault, origin: string): void {
  if (fault === 'hang') return
  if (fault === 'redirect') response.writeHead(307, { location: `${origin}/elsewhere` }).end()
  else if (typeof fault === 'number') response.writeHead(fault).end('about the browser of ada@demo.test')
  else response.writeHead(fault.status, { 'retry-after': fault.retryAfter }).end()
}

/** Verifies the VAPID header (RFC 8292 section 4), except for its time, since tests move the clock. */
async function verifyVapid(header: string, origin: string): Promise<Record<string, unknown> | null> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  try {
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const { payload } = await jwtVerify(token, publicKey, { audience: origin, clockTolerance: 10_000_000 })
    return { ...payload }
  } catch {
    return null
  }
}

/** Decrypts a message on the browser's side (RFC 8291 section 3.4). */
function decrypt(body: Buffer, { privateKey, auth }: Secrets): string {
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const derive = (secret: Uint8Array, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length))
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
  const secret = derive(own.computeSecret(sender), auth, about, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const record = body.subarray(21 + keyLength)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}
