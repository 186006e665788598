import type { Clock, Config, Database, Platform, Queryable, Randomness } from '@/server/core/platform'
import type { CardOnFile, PaymentIntentRequest, PaymentOutcome, Processor, SetupIntent } from '@/server/core/processor'
import { sha256Base64url } from '@/server/protocol/encoding'
import { type CardBehaviour, isTestCardName, type TestCardName, testCards } from './sandbox-cards'
import { deliverDueEvents } from './sandbox-delivery'
import { announce, announceDispute } from './sandbox-events'
import {
  type CardRow,
  decideIntent,
  findCard,
  findIntent,
  findIntentOfSettlement,
  type IntentRow,
  insertCard,
  insertCharge,
  insertIntent,
  lockIntent,
} from './sandbox-store'

/** How long a charge that "answers late" stays in processing. */
export const LATE_ANSWER_SECONDS = 3
/** How long after its charge the dispute card's dispute is opened. */
export const DISPUTE_DELAY_SECONDS = 2
const CARD_VALID_YEARS = 4

export interface SandboxParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: Randomness
  /** Signs the webhooks, as the receiving endpoint checks them. */
  readonly webhookSecret: string
  /** Where this server listens, for webhooks that are sent as soon as they are due; null leaves them all to the job. */
  readonly loopbackUrl: string | null
}

export interface SandboxProcessor extends Processor {
  readonly kind: 'sandbox'
  /**
   * Plays the cardholder: confirms a setup intent with a test card and sends `setup_intent.succeeded` that many times at
   * once. An intent that was confirmed before stays as it is. Null when there is no such intent.
   */
  enrolTestCard(enrolment: {
    setupIntentId: string
    card: TestCardName
    deliveries?: number
  }): Promise<SetupIntent | null>
  /** Opens or closes a dispute about a charge and sends the webhook. False when nothing was charged under the intent. */
  openDispute(paymentIntentId: string, status: 'pending' | 'won' | 'lost'): Promise<boolean>
  /** Sends the webhooks that are due to `<baseUrl>/webhooks/stripe`; what is not taken is sent again later. Returns how many were due. */
  deliverDueEvents(baseUrl: string): Promise<number>
}

/** The sandbox's own processor when that is the one in use. */
export function asSandbox(processor: Processor): SandboxProcessor | null {
  return processor.kind === 'sandbox' && 'enrolTestCard' in processor ? (processor as SandboxProcessor) : null
}

/** The job that sends the sandbox's webhooks which no request has sent; does nothing where another processor is in use. */
export async function deliverSandboxEvents({ processor, config }: Platform): Promise<number> {
  return (await asSandbox(processor)?.deliverDueEvents(loopbackOf(config))) ?? 0
}

/** Where this process listens. */
export function loopbackOf({ port }: Config): string {
  return `http://127.0.0.1:${port}`
}

/**
 * A card processor without money. It keeps its own books in the database, each call in transactions of its own, as if it
 * were somebody else's service: idempotent by key, at most one charge per payment intent, signed webhooks.
 */
export function createSandboxProcessor(parts: SandboxParts): SandboxProcessor {
  return new BookedProcessor(parts)
}

class BookedProcessor implements SandboxProcessor {
  readonly kind = 'sandbox'
  readonly publishableKey = 'pk_sandbox'

  constructor(private readonly parts: SandboxParts) {}

  async createCustomer(principalId: string): Promise<string> {
    return `cus_${sha256Base64url(principalId).slice(0, 24)}`
  }

  async createSetupIntent(request: {
    principalId: string
    customerId: string
    idempotencyKey: string
  }): Promise<SetupIntent> {
    const { db, random, clock } = this.parts
    const id = `seti_${random.token(18)}`
    const intent = await insertIntent(db, {
      ...blankIntent,
      id,
      kind: 'setup',
      idempotency_key: `setup:${request.idempotencyKey}`,
      customer_id: request.customerId,
      principal_id: request.principalId,
      client_secret: `${id}_secret_${random.token(18)}`,
      status: 'requires_payment_method',
      created_at: clock.now(),
    })
    return toSetupIntent(intent, null)
  }

  async retrieveSetupIntent(id: string): Promise<SetupIntent | null> {
    const intent = await findIntent(this.parts.db, id, 'setup')
    return intent === null ? null : toSetupIntent(intent, await findCard(this.parts.db, intent.payment_method_id))
  }

  async createPaymentIntent(request: PaymentIntentRequest): Promise<{ id: string }> {
    const { db, random, clock } = this.parts
    const { id } = await insertIntent(db, {
      ...blankIntent,
      id: `pi_${random.token(18)}`,
      kind: 'payment',
      idempotency_key: `stl_${request.settlementId}:create`,
      customer_id: request.customerId,
      settlement_id: request.settlementId,
      payment_method_id: request.paymentMethodId,
      amount_minor: request.amountMinor,
      currency: request.currency,
      connected_account_id: request.connectedAccountId,
      application_fee_minor: request.applicationFeeMinor,
      status: 'requires_confirmation',
      created_at: clock.now(),
    })
    return { id }
  }

  async confirmPaymentIntent(id: string, settlementId: string): Promise<PaymentOutcome> {
    const outcome = await this.parts.db.transaction(async (tx) => {
      const intent = await lockIntent(tx, id, 'payment')
      if (intent === null || intent.settlement_id !== settlementId)
        throw new Error('The processor has no such payment intent.')
      if (intent.status !== 'requires_confirmation') return outcomeOf(intent, this.parts.clock.now())
      return this.#charge(tx, intent)
    })
    this.#deliverSoon()
    return outcome
  }

  async retrievePaymentIntent(id: string) {
    const intent = await findIntent(this.parts.db, id, 'payment')
    if (intent === null) return null
    return { outcome: outcomeOf(intent, this.parts.clock.now()), settlementId: intent.settlement_id }
  }

  findPaymentIntent(settlementId: string): Promise<{ id: string } | null> {
    return findIntentOfSettlement(this.parts.db, settlementId)
  }

  async enrolTestCard(enrolment: {
    setupIntentId: string
    card: TestCardName
    deliveries?: number
  }): Promise<SetupIntent | null> {
    const enrolled = await this.parts.db.transaction(async (tx) => {
      const intent = await lockIntent(tx, enrolment.setupIntentId, 'setup')
      if (intent === null || intent.status === 'succeeded') return intent !== null
      const paymentMethodId = await this.#storeCard(tx, intent.customer_id, enrolment.card)
      await decideIntent(tx, intent.id, { status: 'succeeded', failureCode: null, decidesAt: null, paymentMethodId })
      const object = { id: intent.id, object: 'setup_intent', status: 'succeeded', payment_method: paymentMethodId }
      const metadata = { principal_id: intent.principal_id }
      await announce(tx, this.parts, {
        type: 'setup_intent.succeeded',
        object: { ...object, metadata },
        deliveries: enrolment.deliveries ?? 1,
      })
      return true
    })
    if (!enrolled) return null
    this.#deliverSoon()
    return this.retrieveSetupIntent(enrolment.setupIntentId)
  }

  async openDispute(paymentIntentId: string, status: 'pending' | 'won' | 'lost'): Promise<boolean> {
    const opened = await this.parts.db.transaction(async (tx) => {
      const intent = await lockIntent(tx, paymentIntentId, 'payment')
      if (intent === null || intent.status !== 'succeeded') return false
      await announceDispute(tx, this.parts, { intent, status, delaySeconds: 0 })
      return true
    })
    if (opened) this.#deliverSoon()
    return opened
  }

  deliverDueEvents(baseUrl: string): Promise<number> {
    return deliverDueEvents(this.parts, baseUrl)
  }

  async #storeCard(tx: Queryable, customerId: string, name: TestCardName): Promise<string> {
    const { random, clock } = this.parts
    const card = testCards[name]
    const paymentMethodId = `pm_${random.token(18)}`
    await insertCard(tx, {
      payment_method_id: paymentMethodId,
      customer_id: customerId,
      behaviour: name,
      brand: card.brand,
      last4: card.number.slice(-4),
      exp_month: 12,
      exp_year: clock.now().getUTCFullYear() + CARD_VALID_YEARS,
      created_at: clock.now(),
    })
    return paymentMethodId
  }

  async #charge(tx: Queryable, intent: IntentRow): Promise<PaymentOutcome> {
    const { clock, random } = this.parts
    const now = clock.now()
    const behaviour = behaviourOf(await findCard(tx, intent.payment_method_id))
    const object = { id: intent.id, object: 'payment_intent', amount: intent.amount_minor, currency: intent.currency }
    const metadata = { settlement_id: intent.settlement_id }
    if (behaviour.kind === 'fails') {
      await decideIntent(tx, intent.id, {
        status: 'failed',
        failureCode: behaviour.code,
        decidesAt: null,
        paymentMethodId: null,
      })
      const error = { last_payment_error: { code: behaviour.code } }
      await announce(tx, this.parts, {
        type: 'payment_intent.payment_failed',
        object: { ...object, ...error, metadata },
      })
      return { status: 'failed', code: behaviour.code }
    }
    await insertCharge(tx, { id: `ch_${random.token(18)}`, paymentIntentId: intent.id, now })
    const delaySeconds = behaviour.kind === 'answers_late' ? LATE_ANSWER_SECONDS : 0
    const decidesAt = new Date(now.getTime() + delaySeconds * 1000)
    await decideIntent(tx, intent.id, { status: 'succeeded', failureCode: null, decidesAt, paymentMethodId: null })
    await announce(tx, this.parts, {
      type: 'payment_intent.succeeded',
      object: { ...object, status: 'succeeded', metadata },
      delaySeconds,
    })
    if (behaviour.kind === 'is_disputed') {
      await announceDispute(tx, this.parts, { intent, status: 'pending', delaySeconds: DISPUTE_DELAY_SECONDS })
    }
    return delaySeconds === 0 ? { status: 'succeeded' } : { status: 'unknown' }
  }

  /** The job delivers what this attempt does not, so its failures are nobody's concern. */
  #deliverSoon(): void {
    const { loopbackUrl } = this.parts
    if (loopbackUrl === null) return
    setImmediate(() => void this.deliverDueEvents(loopbackUrl).catch(() => undefined))
  }
}

const blankIntent = {
  principal_id: null,
  settlement_id: null,
  payment_method_id: null,
  amount_minor: null,
  currency: null,
  client_secret: null,
  connected_account_id: null,
  application_fee_minor: null,
}

function outcomeOf(intent: IntentRow, now: Date): PaymentOutcome {
  if (intent.status === 'failed') return { status: 'failed', code: intent.failure_code ?? 'card_declined' }
  const isDecided = intent.status === 'succeeded' && (intent.decides_at === null || intent.decides_at <= now)
  return { status: isDecided ? 'succeeded' : 'unknown' }
}

function behaviourOf(card: CardRow | null): CardBehaviour {
  if (card === null || !isTestCardName(card.behaviour)) return { kind: 'fails', code: 'card_declined' }
  return testCards[card.behaviour].behaviour
}

function toSetupIntent(intent: IntentRow, card: CardRow | null): SetupIntent {
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: intent.status === 'succeeded' ? 'succeeded' : 'requires_payment_method',
    customerId: intent.customer_id,
    principalId: intent.principal_id,
    card: card === null ? null : toCardOnFile(card),
  }
}

function toCardOnFile(card: CardRow): CardOnFile {
  return {
    paymentMethodId: card.payment_method_id,
    brand: card.brand,
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
  }
}
