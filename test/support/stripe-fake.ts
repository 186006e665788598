import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Database } from '@/server/base/core/platform'
import { systemClock } from '@/server/base/platform/clock'
import type { FakeParts } from '@/server/base/platform/processor/sandbox/context'
import { createControls, type FakeControls } from '@/server/base/platform/processor/sandbox/controls'
import { createStripeFake } from '@/server/base/platform/processor/sandbox/fake'
import { systemRandomness } from '@/server/base/platform/random'

export const FAKE_SECRET_KEY = 'sk_test_fake_of_this_test'
export const FAKE_PUBLISHABLE_KEY = 'pk_test_fake_of_this_test'

interface FakeOptions extends Partial<Omit<FakeParts, 'db'>> {
  /** A migrated database; its sandbox_processor_* tables hold the fake's data. */
  readonly db: Database
  /** Answers instead of the fake; null passes the request on. */
  readonly intercept?: (request: Request) => Promise<Response | null> | Response | null
}

export interface ServedFake extends FakeControls {
  /** The value for STRIPE_API_BASE. */
  readonly url: string
  close(): Promise<void>
}

/** Serves the fake of Stripe's API over HTTP, on a free port of this host. */
export async function serveStripeFake({ intercept, ...given }: FakeOptions): Promise<ServedFake> {
  const parts: FakeParts = {
    clock: systemClock,
    random: systemRandomness,
    secretKey: FAKE_SECRET_KEY,
    publishableKey: FAKE_PUBLISHABLE_KEY,
    webhookBaseUrl: null,
    webhookSecret: 'whsec_fake_of_this_test',
    ...given,
  }
  const fake = createStripeFake(parts)
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array))
      const request = new Request(new URL(incoming.url ?? '/', `http://${incoming.headers.host}`), {
        method: incoming.method ?? 'GET',
        headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
        body: chunks.length === 0 ? null : Buffer.concat(chunks),
      })
      const answer = (await intercept?.(request.clone())) ?? (await fake(request))
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })().catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...createControls(parts),
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Returns an intercept that answers the selected requests with a fault of Stripe's, which is saved under their
 * idempotency key: later requests with the same key get it again. Requests without a key pass.
 */
export function saveFaults(befalls: (request: Request) => boolean): (request: Request) => Response | null {
  const keys = new Set<string>()
  return (request) => {
    const key = request.headers.get('idempotency-key')
    if (key === null) return null
    const isReplayed = keys.has(key)
    if (!isReplayed && !befalls(request)) return null
    keys.add(key)
    const error = { type: 'api_error', message: 'An unknown error occurred.' }
    return Response.json({ error }, { status: 500, headers: isReplayed ? { 'idempotent-replayed': 'true' } : {} })
  }
}
