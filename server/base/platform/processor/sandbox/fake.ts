import type { FakeParts, Handler } from './context'
import { withEvents } from './delivery'
import { runOnce } from './idempotency'
import { STRIPE_API_VERSION } from './objects'
import {
  createCustomer,
  createRefund,
  deleteCustomer,
  detachPaymentMethod,
  listCharges,
  listRefunds,
  retrieveCharge,
  retrieveCustomer,
  retrieveDispute,
  retrievePaymentMethod,
  retrieveRefund,
} from './other-objects'
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  listPaymentIntents,
  retrievePaymentIntent,
} from './payment-intents'
import { confirmSetupIntent, createSetupIntent, listSetupIntents, retrieveSetupIntent } from './setup-intents'
import { type Answer, errorAnswer, Params, refuse, StripeRefusal } from './wire'

const BODY_MAX_CHARS = 65_536

interface Route {
  readonly handler: Handler
  /** The parameters that the route accepts, besides `expand`. */
  readonly params: readonly string[]
  /** Whether the publishable key gives access too, to the object whose client secret is sent. */
  readonly fromBrowser?: true
}

const page = ['limit', 'starting_after', 'created']

const routes: Readonly<Record<string, Route>> = {
  'POST /v1/customers': { handler: createCustomer, params: ['metadata'] },
  'GET /v1/customers/:id': { handler: retrieveCustomer, params: [] },
  'DELETE /v1/customers/:id': { handler: deleteCustomer, params: [] },
  'POST /v1/setup_intents': {
    handler: createSetupIntent,
    params: ['customer', 'usage', 'allowed_payment_method_types', 'metadata'],
  },
  'GET /v1/setup_intents': { handler: listSetupIntents, params: ['customer', ...page] },
  'GET /v1/setup_intents/:id': { handler: retrieveSetupIntent, params: ['client_secret'], fromBrowser: true },
  'POST /v1/setup_intents/:id/confirm': {
    handler: confirmSetupIntent,
    params: ['payment_method', 'client_secret'],
    fromBrowser: true,
  },
  'POST /v1/payment_intents': {
    handler: createPaymentIntent,
    params: [
      'amount',
      'currency',
      'customer',
      'payment_method',
      'allowed_payment_method_types',
      'metadata',
      'transfer_data',
      'application_fee_amount',
    ],
  },
  'GET /v1/payment_intents': { handler: listPaymentIntents, params: ['customer', ...page] },
  'GET /v1/payment_intents/:id': { handler: retrievePaymentIntent, params: ['client_secret'], fromBrowser: true },
  'POST /v1/payment_intents/:id/confirm': {
    handler: confirmPaymentIntent,
    params: ['off_session', 'payment_method', 'client_secret'],
    fromBrowser: true,
  },
  'POST /v1/payment_intents/:id/cancel': { handler: cancelPaymentIntent, params: ['cancellation_reason'] },
  'GET /v1/charges': { handler: listCharges, params: ['payment_intent', 'limit'] },
  'GET /v1/charges/:id': { handler: retrieveCharge, params: [] },
  'POST /v1/refunds': {
    handler: createRefund,
    params: ['payment_intent', 'amount', 'reverse_transfer', 'refund_application_fee', 'metadata'],
  },
  'GET /v1/refunds': { handler: listRefunds, params: ['payment_intent', 'limit'] },
  'GET /v1/refunds/:id': { handler: retrieveRefund, params: [] },
  'GET /v1/disputes/:id': { handler: retrieveDispute, params: [] },
  'GET /v1/payment_methods/:id': { handler: retrievePaymentMethod, params: [] },
  'POST /v1/payment_methods/:id/detach': { handler: detachPaymentMethod, params: [] },
}

/**
 * Creates a fake of the part of Stripe's API that is used here, over its own tables: the same paths, forms, objects,
 * errors and idempotency. Every request is one transaction.
 */
export function createStripeFake(parts: FakeParts): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = `req_${parts.random.token(12)}`
    const answer = await answerTo(parts, request, requestId)
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: {
        'content-type': 'application/json',
        'request-id': requestId,
        'stripe-version': STRIPE_API_VERSION,
        ...(answer.idempotencyKey !== null && { 'idempotency-key': answer.idempotencyKey }),
        ...(answer.replayed && { 'idempotent-replayed': 'true' }),
      },
    })
  }
}

interface FullAnswer extends Answer {
  readonly idempotencyKey: string | null
  readonly replayed: boolean
}

async function answerTo(parts: FakeParts, request: Request, requestId: string): Promise<FullAnswer> {
  const idempotencyKey = request.method === 'POST' ? request.headers.get('idempotency-key') : null
  try {
    const { pathname, search } = new URL(request.url)
    const keyKind = identify(parts, request)
    const { route, id } = findRoute(request.method, pathname)
    if (keyKind === 'publishable' && !route.fromBrowser) {
      throw refuse('This API call cannot be made with a publishable API key.', {
        status: 403,
        code: 'secret_key_required',
      })
    }
    const params = new Params(request.method === 'POST' ? await readForm(request) : search)
    params.allowOnly([...route.params, 'expand'])
    const withSecretKey = keyKind === 'secret'
    const answer = await withEvents(parts, { requestId, idempotencyKey }, (source) =>
      runOnce({ ...source, id, params, withSecretKey }, pathname, route.handler),
    )
    return { ...answer, idempotencyKey }
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    return { ...errorAnswer(error.facts), idempotencyKey, replayed: false }
  }
}

function identify({ secretKey, publishableKey }: FakeParts, request: Request): 'secret' | 'publishable' {
  const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (given === secretKey) return 'secret'
  if (given === publishableKey) return 'publishable'
  const message = given === undefined ? 'You did not provide an API key.' : 'Invalid API Key provided.'
  throw refuse(message, { status: 401 })
}

/** Finds the route and id of a path: `/v1/things/<id>/verb` is the route `/v1/things/:id/verb`. */
function findRoute(method: string, pathname: string): { route: Route; id: string } {
  const [, version, name, id = '', ...rest] = pathname.split('/')
  const path = ['', version, name, ...(id === '' ? [] : [':id']), ...rest].join('/')
  const key = `${method} ${path}`
  const route = Object.hasOwn(routes, key) ? routes[key] : undefined
  if (route === undefined) throw refuse(`Unrecognized request URL (${method}: ${pathname}).`, { status: 404 })
  return { route, id: decodeURIComponent(id) }
}

async function readForm(request: Request): Promise<string> {
  const text = await request.text()
  if (text.length > BODY_MAX_CHARS) throw refuse('The request is too large.', { status: 413 })
  const type = request.headers.get('content-type') ?? ''
  if (text === '' || type.startsWith('application/x-www-form-urlencoded')) return text
  throw refuse('The request must be form-encoded.')
}
