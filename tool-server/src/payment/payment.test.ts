import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../json.js'
import { nonceUrl } from '../merchant/nonce-payment.js'
import { approvalUrl, matchCode, remainingTime } from './approval.js'
import { formatAmount } from './money.js'
import { type Order, purchaseKey } from './order.js'
import { payResult, payResultListing } from './pay-result.js'
import { consentDeadline } from './step-up.js'

describe('amounts', () => {
  test.each([
    [1200, 'EUR', 'EUR 12.00'],
    [5, 'EUR', 'EUR 0.05'],
    [0, 'USD', 'USD 0.00'],
    [1200, 'JPY', 'JPY 1200'],
    [1200, 'HUF', 'HUF 12.00'],
    [1200, 'IQD', 'IQD 1.200'],
    [7, 'KWD', 'KWD 0.007'],
    [12345, 'CLF', 'CLF 1.2345'],
    [12, 'isk', 'ISK 12'],
    [Number.MAX_SAFE_INTEGER, 'EUR', 'EUR 90071992547409.91'],
  ])('%i %s reads %s', (amount, currency, text) => {
    expect(formatAmount(amount, currency)).toBe(text)
  })
})

describe('approval', () => {
  const requestUri = 'urn:ietf:params:oauth:request_uri:abc'

  test('its address is a digest of the request', () => {
    const handle = createHash('sha256').update(`approve:${requestUri}`).digest('base64url').slice(0, 22)
    expect(approvalUrl('https://as.example', requestUri)).toBe(`https://as.example/approve/${handle}`)
  })

  test('its match code has two digits', () => {
    const digest = createHash('sha256').update(`match-code:${requestUri}`).digest('hex').slice(0, 8)
    expect(matchCode(requestUri)).toBe(String(Number.parseInt(digest, 16) % 100).padStart(2, '0'))
    for (let index = 0; index < 200; index += 1) expect(matchCode(`r${index}`)).toMatch(/^\d\d$/)
  })

  test('the time left is minutes and seconds', () => {
    expect(remainingTime(161_000)).toBe('2:41')
    expect(remainingTime(-5)).toBe('0:00')
  })
})

describe('purchase key', () => {
  const order: Order = {
    merchant: 'https://shop.example',
    route: { kind: 'base_api', url: 'https://shop.example/pay' },
    amountMinor: 1200,
    currency: 'EUR',
    lineItems: [{ sku: 'book', qty: 1 }],
    offerId: 'o-1',
    offerDigest: undefined,
    scope: 'openid oid4ac:payment',
    redirectUri: 'http://127.0.0.1:8765/oid4ac/callback',
  }
  const buyer = { issuer: 'https://as.example', clientId: 'agent-1' }

  test('does not depend on the order of members, or on members that are not set', () => {
    const shuffled = { ...Object.fromEntries(Object.entries(order).toReversed()), lineItems: [{ qty: 1, sku: 'book' }] }
    expect(purchaseKey(shuffled as unknown as Order, buyer)).toBe(purchaseKey(order, buyer))
    expect(canonicalJson({ b: [1, { d: 'x', c: undefined }], a: null })).toBe('{"a":null,"b":[1,{"d":"x"}]}')
  })

  test('differs for every difference in what is bought, and by whom', () => {
    const orders: Order[] = [
      { ...order, amountMinor: 1201 },
      { ...order, currency: 'USD' },
      { ...order, merchant: 'https://other.example' },
      { ...order, lineItems: [{ sku: 'book', qty: 2 }] },
      { ...order, offerDigest: 'd' },
      { ...order, route: { kind: 'verify_url', url: 'https://shop.example/pay' } },
    ]
    const keys = [order, ...orders].map((each) => purchaseKey(each, buyer))
    expect(new Set([...keys, purchaseKey(order, { ...buyer, clientId: 'agent-2' })]).size).toBe(orders.length + 2)
  })
})

describe('pay result', () => {
  const valid = [
    { status: 'paid', order_id: 'o', receipt: {}, settlement: { settlement_id: 's' } },
    { status: 'paid', mandate_id: 'm', receipt_jws: 'r', payment_provider_ref: 'p' },
    { status: 'step_up_required', request_uri: 'urn:x' },
    { status: 'setup_required' },
    { status: 'declined', error: { code: 'consent_denied' } },
  ]

  test.each(valid)('$status is one of its forms', (result) => {
    expect(payResult.parse(result)).toEqual(result)
    expect(payResultListing.parse(result)).toEqual(result)
  })

  test.each([
    { status: 'paid' },
    { status: 'paid', order_id: 'o', receipt: {} },
    { status: 'paid', order_id: 'o', receipt: {}, settlement: {}, mandate_id: 'm' },
    { status: 'step_up_required' },
    { status: 'setup_required', request_uri: 'urn:x' },
    { status: 'declined' },
    { status: 'approved' },
  ])('%o is none', (result) => {
    expect(payResult.safeParse(result).success).toBe(false)
  })
})

test('the nonce lies beside the verifier', () => {
  expect(nonceUrl('https://shop.example/api/verify-mandate')).toBe('https://shop.example/api/nonce')
  expect(nonceUrl('https://shop.example/api/verify-mandate/?x=1')).toBe('https://shop.example/api/nonce')
  expect(nonceUrl('https://shop.example/verify')).toBe('https://shop.example/nonce')
})

describe('how long a call waits for the person', () => {
  const signal = new AbortController().signal
  const approvalOptions = (timeoutSeconds?: number) => ({ hint: undefined, timeoutSeconds })
  const quiet = { signal }
  const lively = { signal, progress: () => undefined }

  test('B14 is 45 s at most for a host that takes no progress', () => {
    expect(consentDeadline({ host: quiet, approvalOptions: approvalOptions(), startedAt: 0 })).toBe(45_000)
    expect(consentDeadline({ host: quiet, approvalOptions: approvalOptions(900), startedAt: 0 })).toBe(45_000)
    expect(consentDeadline({ host: quiet, approvalOptions: approvalOptions(3), startedAt: 0 })).toBe(3000)
  })

  test('B14 is what was wished for a host that takes progress', () => {
    expect(consentDeadline({ host: lively, approvalOptions: approvalOptions(), startedAt: 0 })).toBe(45_000)
    expect(consentDeadline({ host: lively, approvalOptions: approvalOptions(900), startedAt: 0 })).toBe(900_000)
  })
})
