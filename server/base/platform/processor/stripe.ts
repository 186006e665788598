import { Stripe } from 'stripe'
import { invariant } from '../../core/invariant'
import type {
  PaymentIntent,
  PaymentIntentRequest,
  PaymentOutcome,
  Processor,
  ProcessorDispute,
  SetupIntent,
} from '../../core/processor'
import { ProcessorRefused, ProcessorUnreachable } from '../../core/processor'
import { toStripeAmount } from './stripe-amounts'
import { isMissing, isRefusal, isReplayed, isSavedFault, translateError } from './stripe-errors'
import {
  failureOf,
  findPaymentIntentIn,
  outcomeOf,
  readCustomer,
  readDispute,
  readPaymentIntent,
  readRefund,
  readSetupIntent,
  type StripePaymentIntent,
  toPaymentIntent,
} from './stripe-shapes'

export const STRIPE_API_VERSION = '2026-10-28.endive'
/** The time limit of a request; below the ten seconds that a settlement may take in all. */
const TIMEOUT_MILLISECONDS = 8_000
/** The most that Stripe's clock may be behind the one that wrote `createdAfter`. */
const STRIPE_CLOCK_SKEW_SECONDS = 300
const PAGE_SIZE = 100
/** The most idempotency keys that are tried for one request; more than a job has tries. */
const KEYS_MAX = 25
const ID = /^[\w-]{1,255}$/

export interface StripeOptions<Kind extends Processor['kind']> {
  readonly kind: Kind
  readonly secretKey: string
  readonly publishableKey: string | null
  /** The origin of the API; null for Stripe's own. */
  readonly apiBase: string | null
  /** The HTTP client; by default the SDK's own. */
  readonly httpClient?: Stripe.HttpClient
  readonly timeoutMilliseconds?: number
}

/**
 * Creates Stripe as the card processor. Cards are set up for charges without the cardholder; a charge is created and
 * confirmed in two steps, each under a key made from the settlement's id, so that repeating either changes nothing.
 * @see {@link https://docs.stripe.com/api}
 */
export function createStripeProcessor<Kind extends Processor['kind']>(
  options: StripeOptions<Kind>,
): Processor & { readonly kind: Kind } {
  return new StripeProcessor(options)
}

class StripeProcessor<Kind extends Processor['kind']> implements Processor {
  readonly kind: Kind
  readonly publishableKey: string | null
  readonly #stripe: Stripe

  constructor(options: StripeOptions<Kind>) {
    this.kind = options.kind
    this.publishableKey = options.publishableKey
    this.#stripe = new Stripe(options.secretKey, {
      apiVersion: STRIPE_API_VERSION,
      // Callers retry themselves: they know how much time is left and check the state first.
      maxNetworkRetries: 0,
      timeout: options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS,
      telemetry: false,
      appInfo: { name: 'Countersign' },
      ...(options.httpClient && { httpClient: options.httpClient }),
      ...(options.apiBase !== null && toHost(options.apiBase)),
    })
  }

  createCustomer(principalId: string, replaced?: string): Promise<string> {
    const key = replaced === undefined ? principalId : `${principalId}:${replaced}`
    return translated(() =>
      underUsableKey(`customer:${key}`, async (idempotencyKey) => {
        const params = { metadata: { principal_id: principalId } }
        return readCustomer(await this.#stripe.customers.create(params, { idempotencyKey })).id
      }),
    )
  }

  createSetupIntent(request: {
    principalId: string
    customerId: string
    idempotencyKey: string
  }): Promise<SetupIntent> {
    return translated(async () =>
      readSetupIntent(
        await this.#stripe.setupIntents.create(
          {
            customer: request.customerId,
            usage: 'off_session',
            allowed_payment_method_types: ['card'],
            metadata: { principal_id: request.principalId },
            expand: ['payment_method'],
          },
          { idempotencyKey: `setup:${request.idempotencyKey}` },
        ),
      ),
    )
  }

  retrieveSetupIntent(id: string): Promise<SetupIntent | null> {
    return nullIfMissing(id, async () =>
      readSetupIntent(await this.#stripe.setupIntents.retrieve(id, { expand: ['payment_method'] })),
    )
  }

  detachCard(paymentMethodId: string): Promise<void> {
    return translated(async () => {
      try {
        await this.#stripe.paymentMethods.detach(paymentMethodId)
      } catch (error) {
        if (!isRefusal(error) || (await this.#isAttached(paymentMethodId))) throw error
      }
    })
  }

  async deleteCustomer(customerId: string): Promise<void> {
    await nullIfMissing(customerId, () => this.#stripe.customers.del(customerId))
  }

  async #isAttached(paymentMethodId: string): Promise<boolean> {
    const method = await nullIfMissing(paymentMethodId, () => this.#stripe.paymentMethods.retrieve(paymentMethodId))
    return method !== null && method.customer !== null
  }

  /** Creates an intent. One may exist in spite of a saved error, but it is never confirmed and so moves no money. */
  createPaymentIntent(request: PaymentIntentRequest): Promise<{ id: string }> {
    return translated(async () => {
      try {
        const { id } = readPaymentIntent(
          await this.#stripe.paymentIntents.create(toParams(request), {
            idempotencyKey: `stl_${request.settlementId}:create`,
          }),
        )
        return { id }
      } catch (error) {
        throw toFinal(error)
      }
    })
  }

  confirmPaymentIntent(id: string, settlementId: string): Promise<PaymentOutcome> {
    return translated(async () => {
      try {
        const answer = await this.#stripe.paymentIntents.confirm(
          id,
          { off_session: true },
          { idempotencyKey: `stl_${settlementId}:confirm` },
        )
        const intent = readPaymentIntent(answer)
        const mayBeOld = intent.status !== 'succeeded' && isReplayed(answer.lastResponse.headers)
        return outcomeFor(settlementId, mayBeOld ? await this.#retrieve(id) : intent)
      } catch (error) {
        if (!tellsState(error)) return outcomeOfDecline(error) ?? Promise.reject(error)
        const intent = await this.#retrieve(id)
        const outcome = outcomeFor(settlementId, intent)
        // The only confirmation under the key has ended, and the intent is not being processed.
        const isOver = isReplayed(error.headers) && outcome.status === 'unknown' && intent.status !== 'processing'
        return isOver ? Promise.reject(toFinal(error)) : outcome
      }
    })
  }

  async #retrieve(id: string): Promise<StripePaymentIntent> {
    return readPaymentIntent(await this.#stripe.paymentIntents.retrieve(id))
  }

  retrievePaymentIntent(id: string): Promise<PaymentIntent | null> {
    return nullIfMissing(id, async () => toPaymentIntent(await this.#retrieve(id)))
  }

  /** Searches the customer's list, which is up to date at once; Stripe's search is so only after a while. */
  findPaymentIntent(settlement: {
    settlementId: string
    customerId: string
    createdAfter: Date
  }): Promise<PaymentIntent | null> {
    const since = Math.floor(settlement.createdAfter.getTime() / 1000) - STRIPE_CLOCK_SKEW_SECONDS
    return nullIfMissing(settlement.customerId, async () => {
      const found: StripePaymentIntent[] = []
      const list = this.#stripe.paymentIntents.list({
        customer: settlement.customerId,
        created: { gte: since },
        limit: PAGE_SIZE,
      })
      for await (const item of list) {
        const intent = readPaymentIntent(item)
        if (intent.metadata?.['settlement_id'] === settlement.settlementId) found.push(intent)
      }
      const best = found.find(({ status }) => status === 'succeeded') ?? found.at(-1)
      return best === undefined ? null : toPaymentIntent(best)
    })
  }

  cancelPaymentIntent(id: string): Promise<PaymentOutcome> {
    return translated(async () => {
      try {
        return outcomeOf(readPaymentIntent(await this.#stripe.paymentIntents.cancel(id)))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return outcomeOf(await this.#retrieve(id))
      }
    })
  }

  refundPayment(paymentIntentId: string): Promise<void> {
    return translated(async () => {
      const intent = await this.#retrieve(paymentIntentId)
      try {
        const params = {
          payment_intent: paymentIntentId,
          ...(intent.transfer_data && { reverse_transfer: true }),
          ...(intent.transfer_data && intent.application_fee_amount && { refund_application_fee: true }),
        }
        const refund = await underUsableKey(`refund:${paymentIntentId}`, (idempotencyKey) =>
          this.#stripe.refunds.create(params, { idempotencyKey }),
        )
        const { status } = readRefund(refund)
        if (status === 'failed' || status === 'canceled') throw new ProcessorRefused('refund_failed')
      } catch (error) {
        if (!isRefusal(error) || error.code !== 'charge_already_refunded') throw error
      }
    })
  }

  retrieveDispute(id: string): Promise<ProcessorDispute | null> {
    return nullIfMissing(id, async () => {
      const { payment_intent: paymentIntentId, status } = readDispute(await this.#stripe.disputes.retrieve(id))
      return paymentIntentId === null ? null : { id, paymentIntentId, status }
    })
  }
}

function toHost(apiBase: string): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  const { protocol, hostname, port } = new URL(apiBase)
  const isSecure = protocol === 'https:'
  return { host: hostname, port: port || (isSecure ? 443 : 80), protocol: isSecure ? 'https' : 'http' }
}

/** Returns the parameters of an intent; with a connected account the money goes to it, less the fee. */
function toParams(request: PaymentIntentRequest): Stripe.PaymentIntentCreateParams {
  const { connectedAccountId, currency } = request
  return {
    amount: toStripeAmount(request.amountMinor, currency),
    currency: currency.toLowerCase(),
    customer: request.customerId,
    payment_method: request.paymentMethodId,
    allowed_payment_method_types: ['card'],
    metadata: { settlement_id: request.settlementId },
    ...(connectedAccountId !== null && {
      transfer_data: { destination: connectedAccountId },
      ...(request.applicationFeeMinor > 0 && {
        application_fee_amount: toStripeAmount(request.applicationFeeMinor, currency),
      }),
    }),
  }
}

/** Whether the intent must be read after this error of a confirmation: it may have moved money before. */
function tellsState(error: unknown): error is Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const isUnexpectedState = error.code === 'payment_intent_unexpected_state'
  const hadOtherParameters = error.type === 'StripeIdempotencyError' && error.statusCode === 400
  return isUnexpectedState || hadOtherParameters || isReplayed(error.headers)
}

/**
 * Converts a saved internal error to a refusal, since retrying under its key is useless; returns others as they are.
 */
function toFinal(error: unknown): unknown {
  return isSavedFault(error) ? new ProcessorRefused('processor_error', { cause: error }) : error
}

/**
 * Does the work under the first key without a saved error, which is the same for concurrent callers. A request that
 * failed may still have done the work, so it must be work that Stripe refuses to do twice or that is harmless to
 * repeat.
 */
async function underUsableKey<T>(key: string, work: (idempotencyKey: string) => Promise<T>): Promise<T> {
  for (let place = 1; ; place += 1) {
    try {
      return await work(place === 1 ? key : `${key}:${place}`)
    } catch (error) {
      if (place === KEYS_MAX || !isSavedFault(error)) throw error
    }
  }
}

/** Returns the outcome of a declined charge; null for any other error. */
function outcomeOfDecline(error: unknown): PaymentOutcome | null {
  if (!(error instanceof Stripe.errors.StripeCardError)) return null
  const intent = findPaymentIntentIn(error.payment_intent)
  const outcome = intent === null ? null : outcomeOf(intent)
  return outcome === null || outcome.status === 'unknown' ? failureOf(error) : outcome
}

function outcomeFor(settlementId: string, intent: StripePaymentIntent): PaymentOutcome {
  invariant(intent.metadata?.['settlement_id'] === settlementId, 'a settlement confirms its own payment intent')
  return outcomeOf(intent)
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translateError(error)
  }
}

/** Runs a read; returns null for an unknown id, and for an invalid one, which would change the path of the request. */
function nullIfMissing<T>(id: string, work: () => Promise<T>): Promise<T | null> {
  return translated(async () => {
    if (!ID.test(id)) return null
    try {
      return await work()
    } catch (error) {
      if (isMissing(error)) return null
      if (isRefusal(error)) throw new ProcessorUnreachable(`Stripe refused a question: ${error.code ?? 'no code'}`)
      throw error
    }
  })
}
