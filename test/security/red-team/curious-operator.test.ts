/** Somebody with the operator token who wants to look, or to help out, without being seen. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { operations } from '@/server/operations'
import { newCredential } from '../../credentials/issuance-wallet'
import { must, operate } from '../../support/actors'
import { openScene } from './scene'

const scene = openScene()

describe('a curious operator', () => {
  test('has no operation that approves or pays, and two that read about a person: proof of a purchase, and what a wallet app answered', () => {
    const theirs = operations.filter(
      ({ endpoint }) => ['operator', 'backend'].includes(endpoint.access.actor) && !endpoint.sandboxOnly,
    )
    expect(theirs.map(({ endpoint }) => endpoint.operationId).toSorted()).toEqual([
      'blockSigningKey',
      'createCredentialOffer',
      'createMerchant',
      'createPresentationRequest',
      'createPrincipal',
      'createSubordinate',
      'createWalletClient',
      'deleteRelyingParty',
      'deleteTrustList',
      'listJobs',
      'listMerchants',
      'listSubordinates',
      'listSwitches',
      'listTrustLists',
      'readEvidenceAsOperator',
      'readMetrics',
      'readPresentationResult',
      'readRelyingParty',
      'readRetention',
      'resetPasskeys',
      'retryJob',
      'revokeCredential',
      'revokeTrustMark',
      'rotateSigningKeys',
      'saveRelyingParty',
      'saveTrustList',
      'setSwitch',
      'updateMerchant',
      'updateSubordinate',
      'verifyPresentation',
    ])
  })

  test('is not taken for the person at the wallet, settlement or audit endpoints', async () => {
    const home = await scene.household()
    const headers = { authorization: `Bearer ${scene.app.operatorToken}` }
    for (const path of ['/wallet/limits', '/wallet/payment-history', `/audit/${home.tenantId}/range`]) {
      expect([path, (await fetch(scene.app.baseUrl + path, { headers })).status]).toEqual([path, 401])
    }
  })

  test('cannot reset passkeys unnoticed: the person is mailed, and the chain has the act', async () => {
    const home = await scene.household()
    const before = await scene.books(home)
    const { platform } = scene.app
    await platform.db.query(
      sql`INSERT INTO passkeys (id, principal_id, public_key, counter, transports, device_type, backed_up, name, created_at)
       VALUES (${randomUUID()}, ${home.principalId}, '\\x00', 0, '[]', 'multi_device', true, 'Phone', ${scene.app.clock.now()})`,
    )
    must(await operate(scene.app, 'POST', `/principals/${home.principalId}/passkeys/reset`), 200)
    const after = await scene.books(home)
    expect(after).toEqual({
      charged: 0,
      messages: [...before.messages, 'Your passkeys were removed'],
      audit: [...before.audit, 'oid4ac.operator.acted'],
    })
  })

  test('cannot read what a person bought unnoticed: the person is mailed, and the chain has the act', async () => {
    const home = await scene.household()
    const bought = await home.agent.buy({ amount_minor: 2_000 })
    const paid = must(await home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID()), 200)
    const before = await scene.books(home)
    must(await operate(scene.app, 'GET', `/payments/${String(paid['payment_intent_id'])}/evidence`), 200)
    expect(await scene.books(home)).toEqual({
      charged: 2_000,
      messages: [...before.messages, 'The operator read the proof of one of your payments'],
      audit: [...before.audit, 'oid4ac.operator.acted'],
    })
    const [text] = (await scene.messagesTo(home.email)).filter((one) => one.includes('opened the proof'))
    expect(text).toContain(`${scene.app.baseUrl}/settings/security`)
  })

  test('cannot end a credential unnoticed: the person is mailed once, and the chain has the act', async () => {
    const home = await scene.household()
    const id = await newCredential(scene.app, { principal_id: home.principalId })
    const before = await scene.books(home)
    for (const _again of [1, 2]) must(await operate(scene.app, 'POST', `/credentials/${id}/revoke`), 200)
    expect(await scene.books(home)).toEqual({
      charged: 0,
      messages: [...before.messages, 'The operator revoked a credential of yours'],
      audit: [...before.audit, 'oid4ac.operator.acted'],
    })
  })

  test('cannot send a merchant’s money elsewhere unnoticed by the merchant', async () => {
    const merchant = must(
      await operate<{ id: string }>(scene.app, 'POST', '/merchants', {
        merchant_audience: 'https://honest.example',
        business_name: 'Honest',
        country: 'IE',
        accepts_currency: ['EUR'],
        connected_account_id: 'acct_honest',
        contact_email: 'owner@honest.example',
      }),
      201,
    )
    must(await operate(scene.app, 'PATCH', `/merchants/${merchant.id}`, { connected_account_id: 'acct_mine' }), 200)
    expect(await scene.messagesTo('owner@honest.example')).toHaveLength(1)
  })
})
