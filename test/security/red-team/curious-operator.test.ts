/** Somebody with the operator token who wants to look, or to help out, without being seen. */
import { describe, expect, test } from 'vitest'
import { operations } from '@/server/operations'
import { must, operate } from '../../support/actors'
import { openScene } from './scene'

const scene = openScene()

describe('a curious operator', () => {
  test('has no operation that approves or pays, and one that reads what a person bought, as evidence', () => {
    const theirs = operations.filter(({ endpoint }) => endpoint.access.actor === 'operator' && !endpoint.sandboxOnly)
    expect(theirs.map(({ endpoint }) => endpoint.operationId).toSorted()).toEqual([
      'blockSigningKey',
      'createMerchant',
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
      'readRelyingParty',
      'readRetention',
      'resetPasskeys',
      'retryJob',
      'revokeCredential',
      'rotateSigningKeys',
      'saveRelyingParty',
      'saveTrustList',
      'setSwitch',
      'updateMerchant',
      'updateSubordinate',
    ])
  })

  test('is not taken for the person at the wallet, settlement or audit endpoints', async () => {
    const home = await scene.household()
    const headers = { authorization: `Bearer ${scene.app.operatorToken}` }
    for (const path of ['/wallet/limits', '/wallet/payment-history', `/audit/${home.tenantId}/range`]) {
      expect([path, (await fetch(scene.app.baseUrl + path, { headers })).status]).toEqual([path, 401])
    }
  })

  test('resets passkeys only in sight: the person is mailed, and the chain has the act', async () => {
    const home = await scene.household()
    const before = await scene.books(home)
    must(await operate(scene.app, 'POST', `/principals/${home.principalId}/passkeys/reset`), 200)
    const after = await scene.books(home)
    expect(after.audit.slice(before.audit.length)).toEqual(['oid4ac.operator.acted'])
    expect(after.charged).toBe(0)
  })

  test('sends a merchant’s money elsewhere only in sight of the merchant', async () => {
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
