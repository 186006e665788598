/** Decision B11: what a person does in the portal is an entry of the audit chain, with what they confirmed it by and where. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionHandle } from '@/server/base/protocol/session-handle'
import { removePasskey, setPasskeyRequirement } from '@/server/identity/passkeys'
import { listAudit } from '@/server/shared/audit'
import { freezeSpending, liftFreeze } from '@/server/surfaces/agents'
import { chooseApprovalRule, chooseMagicLinkGate, connectAgent } from '@/server/surfaces/portal'
import { saveLimits } from '@/server/wallet/limits'
import { saveMerchantGate } from '@/server/wallet/merchant-rules'
import { type MoneyFixture, openMoneyFixture, type Person } from '../support/money-fixture'
import { addPasskey } from '../support/passkey-holder'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

const plan = { name: 'Grace', purpose: 'Buys for Hopper', scope: 'openid wallet:read' }
const LIMITS = { daily_cap_minor: 5_000, currency: 'EUR' }
const UNSET = {
  weekly_cap_minor: null,
  monthly_cap_minor: null,
  single_txn_cap_minor: null,
  velocity_count: null,
  velocity_window_seconds: null,
  time_zone: 'UTC',
}

async function payloadsOf(person: Person): Promise<readonly (readonly [string, unknown])[]> {
  const call = fixture.wallet(person)
  const handle = sessionHandle(call.actor.session?.id ?? '')
  const entries = await listAudit(call)
  return entries
    .map(({ event, payload: { session, ...payload } }) => {
      expect([event, session]).toEqual([event, handle])
      return [event.replace('oid4ac.', ''), payload] as const
    })
    .toReversed()
}

test('B11 entries of a person without a passkey name the session that confirmed', async () => {
  const person = await fixture.person({ card: null })
  const call = fixture.wallet(person)
  await chooseApprovalRule(call, { approval_rule: 'above_limits' })
  await chooseApprovalRule(call, { approval_rule: 'above_limits' })
  await chooseMagicLinkGate(call, { magic_link_gate: true })
  await connectAgent(call, { ...plan, limits: LIMITS })
  await saveMerchantGate.verb(call, { only_listed: true })
  const means = 'magic_link'
  const wire = { ...UNSET, ...LIMITS, time_zone: null }
  const everywhere = { means, agent_client_id: null, merchant_audience: null }
  expect(await payloadsOf(person)).toEqual([
    ['policy.changed', { ...everywhere, what: 'approval_rule', from: 'new_merchants', to: 'above_limits' }],
    ['policy.changed', { ...everywhere, what: 'magic_link_gate', from: false, to: true }],
    [
      'agent.connected',
      {
        what: 'setup_token',
        from: null,
        to: { scope: ['openid', 'wallet:read'], limits: wire },
        means,
        agent_client_id: null,
        setup_token_id: expect.any(String),
      },
    ],
    ['policy.changed', { ...everywhere, what: 'merchant_gate', from: false, to: true }],
  ])
  expect(JSON.stringify(await payloadsOf(person))).not.toMatch(/Grace|Hopper/)
})

test('B11 entries of a person with a passkey name it where it confirmed, and the session where it did not', async () => {
  const person = await fixture.person({ card: null })
  const call = fixture.wallet(person)
  const passkey = await addPasskey(call)
  await freezeSpending.verb(call)
  const unfreezing = { purpose: 'security.relax', subject: { frozen: { from: true, to: false } } } as const
  await expect(liftFreeze(call, {})).rejects.toMatchObject({ code: 'step_up_required' })
  await liftFreeze(call, { proof: await passkey.confirm(call, unfreezing) })
  await saveLimits.verb(call, LIMITS)
  const raised = { ...LIMITS, daily_cap_minor: 6_000 }
  const subject = {
    client_id: null,
    limits: { ...UNSET, ...raised },
  }
  const proof = await passkey.confirm(call, { purpose: 'limits.raise', subject })
  await saveLimits.verb(call, { ...raised, proof } as typeof LIMITS)
  const connecting = { purpose: 'agent.connect', subject: { ...plan, limits: null } } as const
  await connectAgent(call, { ...plan, proof: await passkey.confirm(call, connecting) })
  await setPasskeyRequirement(call, { required: true })
  await setPasskeyRequirement(call, { required: true })
  const easing = { purpose: 'security.relax', subject: { passkey_required: false } } as const
  await setPasskeyRequirement(call, { required: false, proof: await passkey.confirm(call, easing) })
  const added = (await payloadsOf(person))[0]?.[1] as { passkey_id: string }
  const removing = { purpose: 'passkey.remove', subject: { passkey_id: added.passkey_id } } as const
  await removePasskey(call, { id: added.passkey_id, proof: await passkey.confirm(call, removing) })
  expect(await payloadsOf(person)).toMatchObject([
    ['security.changed', { what: 'passkey', from: null, to: 'added', means: 'magic_link' }],
    ['limits.changed', { what: 'spending', from: 'active', to: 'frozen', means: 'magic_link' }],
    ['limits.changed', { what: 'spending', from: 'frozen', to: 'active', means: 'passkey' }],
    ['limits.changed', { what: 'limits_lowered', from: null, means: 'magic_link' }],
    ['limits.changed', { what: 'limits_raised', means: 'passkey' }],
    ['agent.connected', { what: 'setup_token', means: 'passkey' }],
    ['security.changed', { what: 'passkey_requirement', from: false, to: true, means: 'magic_link' }],
    ['security.changed', { what: 'passkey_requirement', from: true, to: false, means: 'passkey' }],
    ['security.changed', { what: 'passkey', from: 'added', to: 'removed', means: 'passkey' }],
  ])
})
