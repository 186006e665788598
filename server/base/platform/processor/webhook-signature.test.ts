import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codeOf, NOW, NOW_SECONDS } from '../../protocol/test-support'
import { signWebhook, verifyWebhookSignature } from './webhook-signature'

const secret = 'whsec_test'
const body = '{"id":"evt_1","ü":true}'
const mac = createHmac('sha256', secret).update(`${NOW_SECONDS}.${body}`).digest('hex')
const check = (header: string | null, more: { body?: string | Buffer; secret?: string; now?: Date } = {}) =>
  codeOf(() => verifyWebhookSignature({ header, body, secret, now: NOW, ...more }))
const later = (seconds: number) => ({ now: new Date(NOW.getTime() + seconds * 1_000) })

describe('a webhook signature', () => {
  test('a webhook signature is the HMAC of time and body', () => {
    expect(signWebhook({ body, secret, now: NOW })).toBe(`t=${NOW_SECONDS},v1=${mac}`)
    expect(signWebhook({ body: Buffer.from(body), secret, now: NOW })).toBe(`t=${NOW_SECONDS},v1=${mac}`)
  })

  test.each([
    ['as it was made', `t=${NOW_SECONDS},v1=${mac}`],
    ['with another scheme beside', `t=${NOW_SECONDS},v0=abc,v1=${mac}`],
    ['with the signature of another secret beside', `t=${NOW_SECONDS},v1=${'0'.repeat(64)},v1=${mac}`],
    ['with spaces', `t=${NOW_SECONDS}, v1=${mac}`],
    ['in another order', `v1=${mac},t=${NOW_SECONDS}`],
  ])('a webhook signature is accepted %s', (_name, header) => {
    expect(check(header)).toBe('accepted')
    expect(check(header, { body: Buffer.from(body) })).toBe('accepted')
  })

  test('a webhook signature of an empty body is accepted', () => {
    expect(check(signWebhook({ body: '', secret, now: NOW }), { body: Buffer.alloc(0) })).toBe('accepted')
    expect(check(signWebhook({ body: '', secret, now: NOW }), { body: '' })).toBe('accepted')
  })

  test('a webhook signature holds 300 s either way', () => {
    const header = signWebhook({ body, secret, now: NOW })
    expect([-300, 300].map((seconds) => check(header, later(seconds)))).toEqual(['accepted', 'accepted'])
    expect([-301, 301].map((seconds) => check(header, later(seconds)))).toEqual([
      'invalid_signature',
      'invalid_signature',
    ])
  })

  test.each([
    ['missing', null],
    ['empty', ''],
    ['without time', `v1=${mac}`],
    ['with two times', `t=${NOW_SECONDS},t=${NOW_SECONDS},v1=${mac}`],
    ['with a time that is no number', `t=now,v1=${mac}`],
    ['with another time', `t=${NOW_SECONDS + 1},v1=${mac}`],
    ['without v1', `t=${NOW_SECONDS},v0=${mac}`],
    ['in upper case', `t=${NOW_SECONDS},v1=${mac.toUpperCase()}`],
    ['cut short', `t=${NOW_SECONDS},v1=${mac.slice(1)}`],
    ['endless', `t=${NOW_SECONDS},v1=${mac}${',v1=a'.repeat(400)}`],
  ])('a webhook signature is refused when %s', (_name, header) => {
    expect(check(header)).toBe('invalid_signature')
  })

  test('a webhook signature is refused for bytes that are not UTF-8', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d])
    const signed = createHmac('sha256', secret).update(`${NOW_SECONDS}.`).update(bytes).digest('hex')
    expect(check(`t=${NOW_SECONDS},v1=${signed}`, { body: bytes })).toBe('invalid_signature')
  })

  test('a webhook signature is refused for another body or secret', () => {
    const header = signWebhook({ body, secret, now: NOW })
    expect(check(header, { body: `${body} ` })).toBe('invalid_signature')
    expect(check(header, { secret: 'other' })).toBe('invalid_signature')
    expect(check(header, { secret: '' })).toBe('invalid_signature')
  })
})
