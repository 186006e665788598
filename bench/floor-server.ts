/**
 * The server with the least work that any server must do for an endpoint: read the request, verify and create its
 * signatures, run its statements as durably, and answer as many bytes. bench/floor.ts starts it and names the endpoint
 * in the path.
 */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Pool } from 'pg'
import { preferNativeEd25519 } from '../server/base/platform/keys/native-ed25519'
import { createLogger } from '../server/base/platform/logger'
import { createStripeProcessor } from '../server/base/platform/processor/stripe'
import { verifyEd25519 } from '../server/base/protocol/ed25519'

/** The size of Countersign's pool by default, in connections. */
const POOL_SIZE = 10
const SIGNED = Buffer.from('a JWT of usual length '.repeat(20))
const STORED = JSON.stringify({ stored: 'what one request leaves behind '.repeat(40) })

interface Work {
  readonly checks: number
  readonly signatures: number
  readonly reads: number
  readonly commits: number
  /** The number of charges: an intent is created and confirmed at the card processor, with Countersign's client. */
  readonly charges: number
}

const none: Work = { checks: 0, signatures: 0, reads: 0, commits: 0, charges: 0 }

const works: Readonly<Record<string, Work>> = {
  // Checks assertion and proof; reads the person's rules; stores the request, and that both were used.
  par: { ...none, checks: 2, reads: 1, commits: 1 },
  // Replaces the request by a code.
  authorize: { ...none, commits: 1 },
  // Checks assertion and proof; signs access token and mandate; replaces the code by a token family.
  token: { ...none, checks: 2, signatures: 2, reads: 1, commits: 1 },
  refresh: { ...none, checks: 2, signatures: 2, reads: 1, commits: 1 },
  // Checks assertion and token; reads the token family; stores that the assertion was used.
  introspect: { ...none, checks: 2, reads: 1, commits: 1 },
  revoke: { ...none, checks: 1, reads: 1, commits: 1 },
  // Checks access token, proof and mandate; signs the receipt; stores the reservation, then outcome and audit entry.
  settle: { ...none, checks: 3, signatures: 1, reads: 1, commits: 2 },
  processor: { ...none, charges: 1 },
  // Reads whether the list has changed, so that a revocation shows at once.
  'status-list': { ...none, reads: 1 },
}

const { DATABASE_URL: connectionString, PROCESSOR_URL: processorUrl = '', PORT: port } = process.env
const pool = new Pool({ connectionString, max: POOL_SIZE, keepAlive: true })
const processor = createStripeProcessor({
  kind: 'stripe',
  secretKey: 'sk_test_0123456789abcdef',
  publishableKey: null,
  apiBase: processorUrl,
})
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const signature = sign(null, SIGNED, privateKey)
await preferNativeEd25519(createLogger('error'))
await pool.query('CREATE TABLE IF NOT EXISTS floor (id bigserial PRIMARY KEY, data jsonb NOT NULL)')
const { rows } = await pool.query<{ id: string }>('INSERT INTO floor (data) VALUES ($1) RETURNING id', [STORED])
const known = rows[0]?.id

const read = () => pool.query({ name: 'read', text: 'SELECT data FROM floor WHERE id = $1', values: [known] })
const commit = () => pool.query({ name: 'write', text: 'INSERT INTO floor (data) VALUES ($1)', values: [STORED] })

async function times(count: number, work: () => unknown): Promise<void> {
  for (let index = 0; index < count; index += 1) await work()
}

async function charge(): Promise<void> {
  const settlementId = randomUUID()
  const { id } = await processor.createPaymentIntent({
    settlementId,
    amountMinor: 10,
    currency: 'EUR',
    customerId: 'cus_1',
    paymentMethodId: 'pm_1',
    connectedAccountId: null,
    applicationFeeMinor: 0,
  })
  await processor.confirmPaymentIntent(id, settlementId)
}

async function answer(request: IncomingMessage): Promise<string> {
  await buffer(request)
  const { checks, signatures, reads, commits, charges } = works[request.url?.slice(1) ?? ''] ?? none
  for (let index = 0; index < checks; index += 1) {
    if (!verifyEd25519(SIGNED, publicKey, signature)) throw new Error('a signature does not verify')
  }
  await times(reads, read)
  await times(commits, commit)
  await times(charges, charge)
  for (let index = 0; index < signatures; index += 1) sign(null, SIGNED, privateKey)
  return 'x'.repeat(Number(request.headers['x-answer-bytes']))
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    (error) => response.destroy(error),
  )
})
server.listen(Number(port))

process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void pool.end().then(() => process.exit(0))
})
