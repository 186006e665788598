import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as credentials from '../../credentials/issuance/contract'
import * as passkeys from '../../identity/passkeys/contract'
import * as agents from '../../surfaces/agents/contract'
import * as portal from '../../surfaces/portal'
import * as approvals from '../../wallet/approvals/contract'
import * as limits from '../../wallet/limits/contract'
import * as merchantRules from '../../wallet/merchant-rules/contract'
import { definePortalProcedure } from './portal-procedure'

const proof = z.string().optional()

describe('a contract of a portal procedure', () => {
  test('a contract of a portal procedure that takes a proof has to say what is confirmed', () => {
    expect(() => definePortalProcedure({ input: z.strictObject({ proof }) })).toThrow('belong together')
  })

  test('a contract of a portal procedure that says what is confirmed has to take a proof', () => {
    expect(() => definePortalProcedure({ input: z.strictObject({}), stepUp: 'limits.raise' })).toThrow(
      'belong together',
    )
  })

  test('a contract of a portal procedure names a purpose that a person can confirm', () => {
    const exported = [passkeys, credentials, agents, portal, approvals, limits, merchantRules].flatMap((module) =>
      Object.values<unknown>({ ...module }),
    )
    const named = exported.flatMap((value) =>
      typeof value === 'object' && value !== null && 'input' in value && 'stepUp' in value ? [value.stepUp] : [],
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((purpose) => !passkeys.stepUpPurposes.some((known) => known === purpose))).toEqual([])
  })
})
