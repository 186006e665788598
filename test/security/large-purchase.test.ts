/** Decision D24: purchases of up to 200 line items and 32 KiB, whose access token still fits a header. */
import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '@/server/base/protocol/encoding'
import { readyAgent, withApp } from '../oauth/setup'
import { type Agent, askAboutToken } from '../support/actors'
import type { App } from '../support/app'

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

/** So many items of one cent each, with titles of the given length. */
const items = (count: number, titleLength: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: 't'.repeat(titleLength),
    sku: `article-${index}`,
    qty: 1,
    unit_price_minor: 1,
  }))

const pushOf = async (line_items: Record<string, unknown>[]) => {
  const { form } = await agent.purchase({ amount_minor: line_items.length, line_items })
  return { size: Buffer.byteLength(form.authorization_details), answer: await agent.push(form) }
}

describe('a large purchase', () => {
  test('D24 200 line items in almost 32 KiB are bought, settled and introspected', async () => {
    const bought = items(200, 94)
    const { size } = await pushOf(bought)
    expect(size).toBeGreaterThan(30 * 1024)
    const tokens = await agent.buy({ amount_minor: 200, line_items: bought })
    expect(tokens.authorization_details).toMatchObject([{ line_items: bought }])
    expect(tokens.access_token.length).toBeLessThan(4 * 1024)

    const claims = decodeJwt<{ authorization_details: Record<string, unknown>[] }>(tokens.access_token)
    const [short = {}] = claims.authorization_details
    const digest = createHash('sha256').update(canonicalJson(bought)).digest('base64url')
    expect(short).toMatchObject({ line_items_digest: digest, line_items_count: 200, amount_minor: 200 })
    expect(short).not.toHaveProperty('line_items')

    const introspected = await askAboutToken(app, 'introspect', agent, { token: tokens.access_token })
    expect(introspected.json['authorization_details']).toEqual(tokens.authorization_details)

    const disclosures = tokens.mandate_jwt.split('~').slice(1, -1)
    const disclosed = disclosures.map((one) => JSON.parse(Buffer.from(one, 'base64url').toString()) as unknown[])
    expect(disclosed.find(([, name]) => name === 'line_items')?.[2]).toEqual(bought)
    const settled = await agent.settle(tokens.access_token, tokens.mandate_jwt, 'large-1')
    expect(settled.status, settled.text).toBe(200)
  })

  test('D24 a token that stays below 4 KiB carries its line items whole', async () => {
    const bought = items(3, 84)
    const tokens = await agent.buy({ amount_minor: 3, line_items: bought })
    const claims = decodeJwt(tokens.access_token)
    expect(claims['authorization_details']).toEqual(tokens.authorization_details)
    expect(claims['authorization_details']).toMatchObject([{ line_items: bought }])
  })

  test('D24 a refreshed token is short too, and what it is answered with whole', async () => {
    const bought = items(100, 84)
    const first = await agent.buy({ amount_minor: 100, line_items: bought })
    const { json: tokens } = await agent.refresh(first.refresh_token)
    expect(tokens.authorization_details).toMatchObject([{ line_items: bought }])
    expect(decodeJwt(tokens.access_token)['authorization_details']).toMatchObject([{ line_items_count: 100 }])
  })

  test('D24 more than 200 line items or 32 KiB are refused', async () => {
    const many = (await pushOf(items(201, 0))).answer
    expect([many.status, many.json]).toMatchObject([400, { error: 'invalid_authorization_details' }])
    const { size, answer } = await pushOf(items(200, 104))
    expect(size).toBeGreaterThan(32 * 1024)
    expect([answer.status, answer.json]).toMatchObject([400, { error: 'invalid_authorization_details' }])
  })
})
