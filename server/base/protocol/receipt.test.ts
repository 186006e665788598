import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { type ReceiptClaims, signReceipt, verifyReceipt } from './receipt'
import { ed25519Key, laterCodeOf, NOW, NOW_SECONDS, p256Key, rawJws } from './test-support'

const key = ed25519Key()
const claims: ReceiptClaims = {
  iss: 'https://as.example',
  aud: 'https://shop.example',
  sub: 'client-1',
  iat: NOW_SECONDS,
  jti: 'stl-1',
  mandate_id: 'm-1',
  payment_intent_id: 'pi_1',
  amount_minor: 1_999,
  currency: 'EUR',
  status: 'succeeded',
  application_fee_minor: 20,
  connected_account_id: 'acct_1',
}
const header = { alg: 'EdDSA', typ: 'payment-receipt+jwt', kid: key.kid }
const findKey = (kid: string) => (kid === key.kid ? key.publicKey : undefined)
const expected = { issuer: claims.iss, audience: claims.aud, now: NOW, findKey }
const check = (receipt: string, more: object = {}) =>
  laterCodeOf(() => verifyReceipt(receipt, { ...expected, ...more }))

describe('a receipt', () => {
  test('a receipt verifies with jose', async () => {
    const { payload, protectedHeader } = await jwtVerify(await signReceipt(claims, key), key.publicKey, {
      currentDate: NOW,
    })
    expect(payload).toEqual(claims)
    expect(protectedHeader).toEqual(header)
  })

  test('a receipt comes back as it was signed, years later too', async () => {
    const later = { now: new Date(NOW.getTime() + 1e11) }
    const verified = await verifyReceipt(await signReceipt(claims, key), { ...expected, ...later })
    expect(verified).toEqual({ claims, kid: key.kid })
    const direct = { ...claims, connected_account_id: null, application_fee_minor: 0 }
    expect((await verifyReceipt(await signReceipt(direct, key), expected)).claims).toEqual(direct)
  })

  test('a receipt is the merchant`s whichever way its audience is written', async () => {
    expect(await check(await signReceipt(claims, key), { audience: 'https://SHOP.example/' })).toBe('accepted')
  })

  test.each([
    ['another typ', rawJws({ ...header, typ: 'at+jwt' }, claims, key)],
    ['another key', rawJws(header, claims, ed25519Key())],
    ['an unknown kid', rawJws({ ...header, kid: 'x' }, claims, key)],
    ['ES256', rawJws({ ...header, alg: 'ES256' }, claims, p256Key())],
    ['another issuer', rawJws(header, { ...claims, iss: 'https://other.example' }, key)],
    ['another merchant', rawJws(header, { ...claims, aud: 'https://other.example' }, key)],
    ['a payment that failed', rawJws(header, { ...claims, status: 'failed' }, key)],
    ['an amount that is no integer', rawJws(header, { ...claims, amount_minor: 1.5 }, key)],
    ['a negative amount', rawJws(header, { ...claims, amount_minor: -1 }, key)],
    ['an amount beyond exactness', rawJws(header, { ...claims, amount_minor: 2 ** 53 }, key)],
    ['no account', rawJws(header, { ...claims, connected_account_id: undefined }, key)],
    ['a time in the future', rawJws(header, { ...claims, iat: NOW_SECONDS + 61 }, key)],
    ['garbage', 'garbage'],
  ])('a receipt is refused for %s', async (_name, receipt) => {
    expect(await check(receipt)).toBe('invalid_signature')
  })
})
