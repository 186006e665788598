/** The behaviour of a charge to a test card. */
export type CardBehaviour =
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'declined'; readonly reason: 'generic_decline' | 'insufficient_funds' }
  /** The bank asks for a challenge; once the cardholder has completed it, the charge is made. */
  | { readonly kind: 'needs_authentication' }
  /** The charge is made, but the processor reports it only a little later. */
  | { readonly kind: 'answers_late' }
  /** The charge is made, and a dispute about it is opened soon after. */
  | { readonly kind: 'is_disputed' }
  /** The charge is made, and its webhook arrives before the answer of the confirmation. */
  | { readonly kind: 'tells_first' }
  /** The charge is made, and its webhook comes twice at the same time. */
  | { readonly kind: 'tells_twice' }
  /** The first confirmation is answered with 502 and does nothing; the next one makes the charge. */
  | { readonly kind: 'stumbles' }

export interface TestCard {
  readonly number: string
  readonly brand: string
  readonly description: string
  readonly behaviour: CardBehaviour
}

/** The cards of the sandbox. No other number is accepted, so that no real one can be stored. */
export const testCards = {
  success: {
    number: '4242424242424242',
    brand: 'visa',
    description: 'Every payment succeeds.',
    behaviour: { kind: 'succeeds' },
  },
  decline: {
    number: '4000000000000002',
    brand: 'visa',
    description: 'Every payment is declined.',
    behaviour: { kind: 'declined', reason: 'generic_decline' },
  },
  insufficient_funds: {
    number: '4000000000009995',
    brand: 'visa',
    description: 'Every payment fails for lack of funds.',
    behaviour: { kind: 'declined', reason: 'insufficient_funds' },
  },
  authentication_required: {
    number: '4000002500003155',
    brand: 'visa',
    description: 'At every payment the bank asks the cardholder to confirm (3-D Secure), before anything is charged.',
    behaviour: { kind: 'needs_authentication' },
  },
  timeout: {
    number: '4000000000004087',
    brand: 'visa',
    description: 'The payment is made, but the answer comes only later, by webhook.',
    behaviour: { kind: 'answers_late' },
  },
  dispute: {
    number: '4000000000000259',
    brand: 'visa',
    description: 'Every payment succeeds and is disputed soon after.',
    behaviour: { kind: 'is_disputed' },
  },
} as const satisfies Readonly<Record<string, TestCard>>

export type TestCardName = keyof typeof testCards
export const testCardNames = Object.keys(testCards) as TestCardName[]

function isTestCardName(name: string): name is TestCardName {
  return Object.hasOwn(testCards, name)
}

/** Returns the test card with this number, spaces ignored; null for any other number. */
export function testCardWithNumber(number: string): TestCardName | null {
  const digits = number.replaceAll(' ', '')
  return testCardNames.find((name) => testCards[name].number === digits) ?? null
}

/** Amounts that determine the behaviour of a charge to any card; in minor units of any currency. */
export const magicAmounts = {
  402001: { description: 'The payment is declined.', behaviour: { kind: 'declined', reason: 'generic_decline' } },
  402002: {
    description: 'The bank asks the cardholder to confirm (3-D Secure).',
    behaviour: { kind: 'needs_authentication' },
  },
  402003: {
    description: 'The webhook arrives before the processor answers the confirmation.',
    behaviour: { kind: 'tells_first' },
  },
  402004: { description: 'The webhook arrives twice at the same time.', behaviour: { kind: 'tells_twice' } },
  402005: {
    description: 'The first confirmation is answered with 502 and charges nothing; repeating it works.',
    behaviour: { kind: 'stumbles' },
  },
  402006: { description: 'The payment succeeds and is disputed soon after.', behaviour: { kind: 'is_disputed' } },
  402007: {
    description: 'The payment fails for lack of funds.',
    behaviour: { kind: 'declined', reason: 'insufficient_funds' },
  },
  402008: {
    description: 'The payment is made, but the answer comes only later, by webhook.',
    behaviour: { kind: 'answers_late' },
  },
} as const satisfies Readonly<Record<number, { description: string; behaviour: CardBehaviour }>>

const magicBehaviours: ReadonlyMap<number, CardBehaviour> = new Map(
  Object.entries(magicAmounts).map(([amount, { behaviour }]) => [Number(amount), behaviour]),
)

/** Returns the behaviour of a charge of this amount to the card of this name. */
export function behaviourOf(amountMinor: number, cardName: string): CardBehaviour {
  const magic = magicBehaviours.get(amountMinor)
  if (magic !== undefined) return magic
  return isTestCardName(cardName) ? testCards[cardName].behaviour : { kind: 'declined', reason: 'generic_decline' }
}

/** Stripe's names of test payment methods that have a card here. */
const stripeNames: ReadonlyMap<string, TestCardName> = new Map([
  ['pm_card_visa', 'success'],
  ['pm_card_chargeDeclined', 'decline'],
  ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ['pm_card_authenticationRequired', 'authentication_required'],
  ['pm_card_createDispute', 'dispute'],
])

/** Returns the test card of a payment method, given by its name here or as `pm_card_visa`; null for any other. */
export function testCardOfPaymentMethod(name: string): TestCardName | null {
  return isTestCardName(name) ? name : (stripeNames.get(name) ?? null)
}
