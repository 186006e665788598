import { NextRequest } from 'next/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { config, proxy } from '@/proxy'
import type { Platform } from '@/server/base/core/platform'
import type { Processor } from '@/server/base/core/processor'
import { installPlatform } from '@/server/base/platform/container'
import { systemRandomness } from '@/server/base/platform/random'
import { operations } from '@/server/operations'

const SANDBOX = { kind: 'sandbox', publishableKey: 'pk_sandbox' } as const
const install = (baseUrl: string, processor: Pick<Processor, 'kind' | 'publishableKey'> = SANDBOX) =>
  installPlatform({ random: systemRandomness, config: { baseUrl }, processor } as unknown as Platform)
const visit = (url: string, headers: Record<string, string> = {}) => proxy(new NextRequest(url, { headers }))
const forwarded = (response: Response, name: string) => response.headers.get(`x-middleware-request-${name}`)

beforeEach(() => install('http://localhost:3000'))
afterEach(() => installPlatform(null))

describe('every page', () => {
  test('every page gets a policy that runs only scripts of this answer', () => {
    const [first, second] = [visit('http://localhost:3000/'), visit('http://localhost:3000/')]
    const policy = first.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}' 'strict-dynamic';`)
    for (const directive of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "form-action 'self'",
    ]) {
      expect(policy).toContain(directive)
    }
    expect(policy).not.toContain('unsafe-eval')
    expect(second.headers.get('content-security-policy')).not.toBe(policy)
    expect([forwarded(first, 'x-nonce'), forwarded(first, 'content-security-policy')]).toEqual([nonce, policy])
  })

  test('every page gets the other security headers, and HSTS under https', () => {
    const { headers } = visit('http://localhost:3000/')
    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    expect(headers.get('strict-transport-security')).toBeNull()
    install('https://pay.example.com')
    expect(visit('https://pay.example.com/').headers.get('strict-transport-security')).toContain('max-age=63072000')
  })

  test('every page gets its address and a server-made request id, even if the browser sends its own', () => {
    const claims = {
      'x-request-id': 'mine',
      'x-request-path': '//evil.example',
      'x-nonce': 'mine',
      'content-security-policy': 'x',
    }
    const response = visit('http://localhost:3000/agents?x=1', claims)
    expect(forwarded(response, 'x-request-path')).toBe('/agents?x=1')
    expect(forwarded(response, 'x-request-id')).toBe(response.headers.get('x-request-id'))
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(forwarded(response, 'x-nonce')).not.toBe('mine')
  })
})

describe("Stripe's script and frames", () => {
  const allowed = (path: string) => {
    const policy = visit(`http://localhost:3000${path}`).headers.get('content-security-policy') ?? ''
    return policy.split('; ').filter((directive) => directive.includes('stripe.com'))
  }
  const stripePages = ['/cards', '/cards?setup_intent=seti_1', '/payments/confirm/abc', '/welcome?step=2']

  test("Stripe's sources are allowed where a card is added or confirmed, and scripts still need the nonce", () => {
    install('http://localhost:3000', { kind: 'stripe', publishableKey: 'pk_test_1' })
    for (const path of stripePages) {
      expect(allowed(path)).toEqual([
        expect.stringMatching(
          /^script-src 'self' 'nonce-[^']{24}' 'strict-dynamic' https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com$/,
        ),
        "connect-src 'self' https://api.stripe.com",
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      ])
    }
  })

  test("Stripe's sources are allowed on no other page", () => {
    install('http://localhost:3000', { kind: 'stripe', publishableKey: 'pk_test_1' })
    for (const path of [
      '/',
      '/approvals',
      '/payments',
      '/payments/pi_1',
      '/cardsharp',
      '/welcomed',
      '/sign-in?next=/cards',
    ]) {
      expect([path, allowed(path)]).toEqual([path, []])
    }
  })

  test("Stripe's sources are allowed nowhere without a key of Stripe", () => {
    for (const processor of [SANDBOX, { kind: 'stripe', publishableKey: null } as const]) {
      install('http://localhost:3000', processor)
      expect(stripePages.flatMap(allowed)).toEqual([])
    }
  })
})

describe('the addresses', () => {
  const matches = (path: string) => new RegExp(`^${config.matcher[0]}$`).test(path)

  test('the proxy matches the addresses of pages', () => {
    for (const path of [
      '/',
      '/sign-in',
      '/sign-in/confirm',
      '/mailed-link',
      '/verify',
      '/approve/abc',
      '/agents',
      '/agents/new',
      '/payments/pi_1',
      '/cards',
      '/nothing',
    ]) {
      expect([path, matches(path)]).toEqual([path, true])
    }
  })

  test('the proxy matches no address of the API', () => {
    const paths = operations.map(({ endpoint }) => endpoint.path.replaceAll(/\{\w+\}/g, 'x'))
    expect(paths.length).toBeGreaterThan(30)
    expect([...paths, '/api/trpc/session.me', '/api/auth/csrf', '/_next/static/chunks/a.js'].filter(matches)).toEqual(
      [],
    )
  })
})
