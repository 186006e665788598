/** How a test card behaves when it is charged. */
export type CardBehaviour =
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'fails'; readonly code: string }
  /** The charge is made, but the processor does not say so until a little later. */
  | { readonly kind: 'answers_late' }
  /** The charge is made, and a dispute about it is opened soon after. */
  | { readonly kind: 'is_disputed' }

export interface TestCard {
  readonly number: string
  readonly brand: string
  readonly description: string
  readonly behaviour: CardBehaviour
}

/** The cards that exist in the sandbox. No other number is ever accepted, so no real one can end up here. */
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
    behaviour: { kind: 'fails', code: 'card_declined' },
  },
  insufficient_funds: {
    number: '4000000000009995',
    brand: 'visa',
    description: 'Every payment fails for lack of funds.',
    behaviour: { kind: 'fails', code: 'insufficient_funds' },
  },
  authentication_required: {
    number: '4000002500003155',
    brand: 'visa',
    description: 'Every payment asks for the cardholder (3-D Secure), who is not there.',
    behaviour: { kind: 'fails', code: 'authentication_required' },
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

export function isTestCardName(name: string): name is TestCardName {
  return Object.hasOwn(testCards, name)
}

/** The test card with this number, spaces ignored; null for any other number. */
export function testCardWithNumber(number: string): TestCardName | null {
  const digits = number.replaceAll(' ', '')
  return testCardNames.find((name) => testCards[name].number === digits) ?? null
}
