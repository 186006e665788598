import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { ProcessorUnreachable } from '../../core/processor'
import { systemClock } from '../clock'
import { readConfig } from '../config'
import type { OpenDatabase } from '../database/client'
import { systemRandomness } from '../random'
import { openProcessor } from './open-processor'
import { asSandbox } from './sandbox'

let db: OpenDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

function open(env: Readonly<Record<string, string>>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-processor-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: dataDir, ...env })
  return openProcessor({ config, db, clock: systemClock, random: systemRandomness })
}

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
  STRIPE_API_BASE: 'http://127.0.0.1:9',
}
const secrets = {
  OPERATOR_TOKEN: 'operator-token-0123456789',
  PROCESSOR_WEBHOOK_SECRET: 'whsec_0123456789abcdefghij',
  RCS_CALLBACK_SECRET: 'rcs-callback-0123456789abc',
  KEY_ENCRYPTION_KEY: '5e77e1c0ffee3a9b'.padEnd(64, '0123456789abcdef'),
}

test('a sandbox has its own processor, which charges in this process', async () => {
  const processor = open({ SANDBOX: 'true' })
  const sandbox = asSandbox(processor)
  expect([processor.kind, processor.publishableKey]).toEqual(['sandbox', 'pk_sandbox'])
  const customerId = await processor.createCustomer('somebody')
  const { id } = await processor.createSetupIntent({ principalId: 'somebody', customerId, idempotencyKey: 'one' })
  const enrolled = await sandbox?.enrolTestCard({ setupIntentId: id, card: 'success' })
  const order = { settlementId: 'stl', amountMinor: 100, currency: 'EUR', connectedAccountId: null }
  const paymentMethodId = enrolled?.card?.paymentMethodId ?? ''
  const intent = await processor.createPaymentIntent({ ...order, customerId, paymentMethodId, applicationFeeMinor: 0 })
  expect(await processor.confirmPaymentIntent(intent.id, 'stl')).toEqual({
    status: 'succeeded',
    amountMinor: 100,
    currency: 'EUR',
  })
})

test.each([
  ['in a sandbox', { SANDBOX: 'true', ...stripe }],
  ['outside', { SANDBOX: 'false', ...secrets, ...stripe }],
])('an installation with Stripe’s keys uses Stripe, at the address that is given: %s', async (_, env) => {
  const processor = open(env)
  expect([processor.kind, processor.publishableKey]).toEqual(['stripe', stripe.STRIPE_PUBLISHABLE_KEY])
  expect(asSandbox(processor)).toBeNull()
  await expect(processor.createCustomer('somebody')).rejects.toThrow(ProcessorUnreachable)
})

test('an installation outside the sandbox and without keys has no processor, and everything else works', async () => {
  const processor = open({ SANDBOX: 'false', ...secrets })
  expect(processor.publishableKey).toBeNull()
  await expect(processor.createCustomer('somebody')).rejects.toThrow('No card processor is configured')
  await expect(processor.retrievePaymentIntent('pi_1')).rejects.toThrow(ProcessorUnreachable)
})
