/** A card processor that accepts everything at once, so that only the server is measured. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Intent {
  readonly object: 'payment_intent'
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly client_secret: string
  readonly metadata: { readonly settlement_id: string }
}

interface Processor {
  readonly url: string
  /** The settings with which Countersign charges at this processor. */
  readonly env: Readonly<Record<string, string>>
  close(): void
}

/** Starts a server with the part of Stripe's API that a successful settlement needs. */
export async function startProcessor(): Promise<Processor> {
  const intents = new Map<string, Intent>()
  const create = (form: URLSearchParams): Intent => ({
    object: 'payment_intent',
    id: `pi_${intents.size}`,
    status: 'requires_confirmation',
    amount: Number(form.get('amount')),
    currency: form.get('currency') ?? '',
    client_secret: 'secret',
    metadata: { settlement_id: form.get('metadata[settlement_id]') ?? '' },
  })
  const answer = (path: string, body: string): Intent => {
    const known = intents.get(path.split('/')[3] ?? '')
    const intent = known === undefined ? create(new URLSearchParams(body)) : { ...known, status: 'succeeded' }
    intents.set(intent.id, intent)
    return intent
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    void text(request).then((body) => response.end(JSON.stringify(answer(request.url ?? '', body))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    env: {
      STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789abcdef',
      STRIPE_API_BASE: url,
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
