import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { addPasskey } from '@/test/support/passkey-holder'
import { withToken } from '@/test/support/wallet-token'
import type { WalletCall } from '../../../base/core/call'
import type { JsonObject } from '../../../base/protocol/encoding'
import { requireStepUpToRelax } from '../../../identity/passkeys'
import { FRESH_SESSION_SECONDS, type StepUpProof } from '../../../identity/passkeys/contract'
import {
  previewMerchantRule,
  readMerchantRules,
  saveMerchantGate,
  saveMerchantRule,
} from '../../../wallet/merchant-rules'
import type { ApprovalRule } from '../input'
import { chooseApprovalRule, chooseMagicLinkGate } from './choose-rules'
import { readLimitsPage } from './read-limits'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

type Proof = StepUpProof | undefined
type Verdict = 'allow' | 'deny' | null
/** One change that a person makes in the portal. */
type Step = (call: WalletCall, person: Person, proof?: Proof) => Promise<unknown>

const ask =
  (rule: ApprovalRule): Step =>
  (call, _person, proof) =>
    chooseApprovalRule(call, { approval_rule: rule, proof })
const mail =
  (on: boolean): Step =>
  (call, _person, proof) =>
    chooseMagicLinkGate(call, { magic_link_gate: on, proof })
const list =
  (on: boolean): Step =>
  (call, _person, proof) =>
    saveMerchantGate.verb(call, { only_listed: on, proof })
const say =
  (verdict: Verdict): Step =>
  (call, _person, proof) =>
    saveMerchantRule.verb(call, { merchant_audience: `${MERCHANT}/`, verdict, proof })
const sayOfAgent =
  (verdict: Verdict): Step =>
  (call, { agentId }, proof) =>
    saveMerchantRule.verb(call, { merchant_audience: MERCHANT, agent_client_id: agentId, verdict, proof })

const ruled = (from: Verdict, to: Verdict, agent: string | null = null) => ({
  merchant_rule: { merchant_audience: MERCHANT, agent_client_id: agent, from, to },
})
const insufficient = { code: 'insufficient_user_authentication', status: 401 }
const stepUp = (way: 'passkey' | 'sign_in') => ({ code: 'step_up_required', status: 403, members: { way } })

/** For each relaxation: the earlier choices, the change, and the content of its confirmation. */
const relaxations: readonly (readonly [string, readonly Step[], Step, (person: Person) => JsonObject])[] = [
  [
    'asking about new merchants instead of everything',
    [ask('every_purchase')],
    ask('new_merchants'),
    () => ({ approval_rule: { from: 'every_purchase', to: 'new_merchants' } }),
  ],
  [
    'asking above the limits instead of about everything',
    [ask('every_purchase')],
    ask('above_limits'),
    () => ({ approval_rule: { from: 'every_purchase', to: 'above_limits' } }),
  ],
  [
    'asking above the limits instead of about new merchants',
    [],
    ask('above_limits'),
    () => ({ approval_rule: { from: 'new_merchants', to: 'above_limits' } }),
  ],
  ['no mail any more', [mail(true)], mail(false), () => ({ magic_link_gate: { from: true, to: false } })],
  ['no list any more', [list(true)], list(false), () => ({ only_listed_merchants: { from: true, to: false } })],
  ['a block that is lifted', [say('deny')], say(null), () => ruled('deny', null)],
  ['a block that becomes a permission', [say('deny')], say('allow'), () => ruled('deny', 'allow')],
  [
    'a block of one agent that is lifted',
    [sayOfAgent('deny')],
    sayOfAgent(null),
    (p) => ruled('deny', null, p.agentId),
  ],
  ['a merchant that comes on the list', [list(true)], say('allow'), () => ruled(null, 'allow')],
  [
    'a permission where everybody may ask, which counts once only the list may',
    [],
    say('allow'),
    () => ruled(null, 'allow'),
  ],
  [
    'a permission for one agent where all are blocked',
    [list(true), say('deny')],
    sayOfAgent('allow'),
    (p) => ruled(null, 'allow', p.agentId),
  ],
  [
    'a block for one agent that is lifted where all are blocked',
    [say('deny'), sayOfAgent('deny')],
    sayOfAgent(null),
    (p) => ruled('deny', null, p.agentId),
  ],
  [
    'a block that is lifted where the list has no such merchant',
    [say('deny'), list(true)],
    say(null),
    () => ruled('deny', null),
  ],
  ['the same for one agent', [list(true)], sayOfAgent('allow'), (p) => ruled(null, 'allow', p.agentId)],
  [
    'a block for all that is lifted where the list has the merchant for one agent',
    [list(true), sayOfAgent('allow'), say('deny')],
    say(null),
    () => ruled('deny', null),
  ],
]

/** For each change that relaxes nothing: the earlier choices, and the change. */
const harmless: readonly (readonly [string, readonly Step[], Step])[] = [
  ['asking about everything', [ask('above_limits')], ask('every_purchase')],
  ['asking about new merchants', [ask('above_limits')], ask('new_merchants')],
  ['the same rule again', [ask('above_limits')], ask('above_limits')],
  ['confirming by mail', [], mail(true)],
  ['no mail where there was none', [], mail(false)],
  ['only the list', [], list(true)],
  ['no list where there was none', [], list(false)],
  ['a block', [say('allow')], say('deny')],
  ['a permission that is forgotten', [list(true), say('allow')], say(null)],
  ['the same permission again', [say('allow')], say('allow')],
  ['no rule where there was none', [list(true)], say(null)],
]

/** Returns a call in a session that was opened too long ago to confirm anything. */
function oldSession(person: Person): WalletCall {
  const call = money.wallet(person)
  const authenticatedAt = new Date(call.now.getTime() - FRESH_SESSION_SECONDS * 1000)
  return { ...call, actor: { ...call.actor, session: { id: 'old', method: 'magic_link', authenticatedAt } } }
}

const byToken = (person: Person): WalletCall => withToken(money.wallet(person))
const byRule = (person: Person): WalletCall => withToken(money.wallet(person), { acr: 'rule' })

/** Returns a person who made these choices in sessions that had just been opened. */
async function someone(before: readonly Step[]): Promise<Person> {
  const person = await money.person({ card: null })
  for (const step of before) await step(money.wallet(person), person)
  return person
}

async function said(person: Person) {
  const call = money.wallet(person)
  const { approval_rule, magic_link_gate } = await readLimitsPage(call)
  const { only_listed, rules } = await readMerchantRules.verb(call)
  return { approval_rule, magic_link_gate, only_listed, rules }
}

describe('a change that lets agents do more', () => {
  test.each(relaxations)('%s needs a session that was opened just now', async (_name, before, relax) => {
    const person = await someone(before)
    const strict = await said(person)
    await expect(relax(oldSession(person), person)).rejects.toMatchObject(stepUp('sign_in'))
    expect(await said(person)).toEqual(strict)
    await relax(money.wallet(person), person)
    expect(await said(person)).not.toEqual(strict)
  })

  test.each(relaxations)('%s needs the passkey of a person who has one, over exactly that', async (_name, ...one) => {
    const [before, relax, subjectOf] = one
    const person = await someone(before)
    const call = money.wallet(person)
    const passkey = await addPasskey(call)
    const strict = await said(person)
    const subject = subjectOf(person)
    const others = [...relaxations.map(([, , , of]) => of(person)), { passkey_required: false }]
    await expect(relax(call, person)).rejects.toMatchObject(stepUp('passkey'))
    for (const other of others.filter((each) => JSON.stringify(each) !== JSON.stringify(subject))) {
      const wrong = await passkey.confirm(call, { purpose: 'security.relax', subject: other })
      await expect(relax(call, person, wrong)).rejects.toMatchObject(stepUp('passkey'))
    }
    const raise = await passkey.confirm(call, { purpose: 'limits.raise', subject })
    await expect(relax(call, person, raise)).rejects.toMatchObject(stepUp('passkey'))
    expect(await said(person)).toEqual(strict)

    const proof = await passkey.confirm(call, { purpose: 'security.relax', subject })
    await relax(call, person, proof)
    expect(await said(person)).not.toEqual(strict)
  })

  test('a proof is valid for one change, and for the state that it names', async () => {
    const person = await someone([])
    const call = money.wallet(person)
    const passkey = await addPasskey(call)
    const confirm = () =>
      passkey.confirm(call, {
        purpose: 'security.relax',
        subject: { approval_rule: { from: 'new_merchants', to: 'above_limits' } },
      })
    const [used, late] = [await confirm(), await confirm()]
    await ask('above_limits')(call, person, used)
    await ask('new_merchants')(call, person)
    await expect(ask('above_limits')(call, person, used)).rejects.toMatchObject(stepUp('passkey'))
    await ask('every_purchase')(call, person)
    await expect(ask('above_limits')(call, person, late)).rejects.toMatchObject(stepUp('passkey'))
    expect(await said(person)).toMatchObject({ approval_rule: 'every_purchase' })
  })
})

describe('a change that lets no agent do more', () => {
  test.each(harmless)('%s is one press in any session', async (_name, before, step) => {
    const person = await someone(before)
    await addPasskey(money.wallet(person))
    await expect(step(oldSession(person), person)).resolves.toBeDefined()
  })
})

describe('two tabs', () => {
  test('cannot relax limits between them: the later change is compared with the state at that time', async () => {
    const person = await someone([ask('above_limits')])
    const old = oldSession(person)
    const wanted = ['every_purchase', 'new_merchants', 'above_limits'] as const
    await Promise.allSettled(wanted.map((rule) => ask(rule)(old, person)))
    expect(await said(person)).toMatchObject({ approval_rule: 'every_purchase' })
  })

  /** Returns a change that is altered while the person confirms it, as by another tab. */
  const changing = () => {
    let looked = 0
    const saved: number[] = []
    const relaxes = async () => ({ seen: (looked += 1) })
    return { saved, change: { relaxes, save: async () => saved.push(looked) } }
  }

  test('a confirmed change is not made when it has become another', async () => {
    const { saved, change } = changing()
    const call = money.wallet(await someone([]))
    await expect(requireStepUpToRelax(call, change, undefined)).rejects.toMatchObject({ code: 'conflict', status: 409 })
    expect(saved).toEqual([])
  })

  test('an app with a token confirms nothing in particular', async () => {
    const { saved, change } = changing()
    await requireStepUpToRelax(byToken(await someone([])), change, undefined)
    expect(saved).toHaveLength(1)
  })
})

describe('a wallet token', () => {
  const relaxedByToken = [
    ['a block that is lifted', [say('deny')], { merchant_audience: MERCHANT, verdict: null }],
    ['a merchant that comes on the list', [list(true)], { merchant_audience: MERCHANT, verdict: 'allow' as const }],
    ['a permission where everybody may ask', [], { merchant_audience: MERCHANT, verdict: 'allow' as const }],
  ] as const

  test.each(relaxedByToken)(
    'B8 a wallet token makes %s only if the person was asked for it',
    async (_name, before, input) => {
      const [free, strict] = [await someone(before), await someone(before)]
      await saveMerchantRule.verb(byToken(free), input)
      expect(await said(free)).not.toEqual(await said(strict))
      const stays = await said(strict)
      await expect(saveMerchantRule.verb(byRule(strict), input)).rejects.toMatchObject(insufficient)
      expect(await said(strict)).toEqual(stays)
      await saveMerchantRule.verb(byRule(strict), { merchant_audience: MERCHANT, verdict: 'deny' })
    },
  )

  test('B8 a wallet token ends "only my list" only if the person was asked for it', async () => {
    const [free, strict] = [await someone([list(true)]), await someone([list(true)])]
    await saveMerchantGate.verb(byToken(free), { only_listed: false })
    expect(await said(free)).toMatchObject({ only_listed: false })
    await expect(saveMerchantGate.verb(byRule(strict), { only_listed: false })).rejects.toMatchObject(insufficient)
    await saveMerchantGate.verb(byRule(strict), { only_listed: true })
    expect(await said(strict)).toMatchObject({ only_listed: true })
  })
})

describe('a rule is previewed', () => {
  const preview = async (before: readonly Step[], verdict: Verdict) =>
    previewMerchantRule(money.wallet(await someone(before)), { merchant_audience: `${MERCHANT}:443/`, verdict })

  test('as what would be confirmed, and changes nothing', async () => {
    expect(await preview([say('deny')], null)).toEqual({ relaxes: ruled('deny', null) })
    expect(await preview([say('deny')], 'deny')).toEqual({ relaxes: null })
    expect(await preview([], 'allow')).toEqual({ relaxes: ruled(null, 'allow') })
    expect(await preview([say('allow')], 'allow')).toEqual({ relaxes: null })
    const person = await someone([say('deny')])
    const before = await said(person)
    await previewMerchantRule(money.wallet(person), { merchant_audience: MERCHANT, verdict: null })
    expect(await said(person)).toEqual(before)
  })
})
