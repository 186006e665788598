import { expect, test } from 'vitest'
import { cardName } from './card-name'

test.each([
  ['visa', 'Visa •••• 4242'],
  ['AMEX', 'American Express •••• 4242'],
  ['cartes_bancaires', 'cartes_bancaires •••• 4242'],
  ['unknown', '•••• 4242'],
])('a card of the brand %s is called %s', (brand, name) => {
  expect(cardName({ brand, last4: '4242' })).toBe(name)
})
