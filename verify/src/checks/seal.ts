import { type Context, openDocument } from '../context.ts'
import { SEAL_TYPE } from '../document-types.ts'
import { canonicalJson, digestOf, isJsonObject } from '../encoding.ts'
import type { Part } from '../findings.ts'

/** The members of a pack, with the part that is unproven without each. */
const members: Readonly<Record<string, Part>> = {
  type: 'pack',
  version: 'pack',
  issuer: 'pack',
  created_at: 'pack',
  payment: 'payment',
  mandate: 'mandate',
  approval: 'approval',
  receipt: 'receipt',
  settlement: 'settlement',
  disputes: 'disputes',
  refunds: 'refunds',
  audit: 'audit',
  keys: 'keys',
}

/**
 * Checks the server's signature over the digest of every member, and notes which members were altered, added or left
 * out.
 */
export async function checkSeal(context: Context): Promise<void> {
  const { pack, findings, issuer } = context
  requireKnownMembers(context)
  const seal = await openDocument(context, 'seal', { jws: pack['seal'], typ: SEAL_TYPE, name: 'seal' })
  if (seal === null) return
  const { iss, iat, sub, members: digests } = seal.payload
  findings.require('seal', iss === issuer, 'The seal is of another server.')
  const payment = pack['payment']
  if (isJsonObject(payment))
    findings.require('seal', sub === payment['payment_intent_id'], 'The seal is of another payment.')
  const created = Math.floor(Date.parse(String(pack['created_at'])) / 1000)
  if (pack['created_at'] !== undefined) findings.require('seal', iat === created, 'The seal is of another time.')
  if (!findings.require('seal', isJsonObject(digests), 'The seal names no members.')) return
  if (isJsonObject(digests)) await compareMembers(context, digests)
  if (!findings.has('seal', 'wrong'))
    findings.proven('seal', `${issuer} put this pack together at ${String(pack['created_at'])}.`)
}

function requireKnownMembers({ pack, findings }: Context): void {
  for (const name of Object.keys(pack)) {
    const isKnown = name === 'seal' || Object.hasOwn(members, name)
    findings.require('pack', isKnown, `The pack has a member that packs do not have: ${name}.`)
  }
}

async function compareMembers({ pack, findings }: Context, digests: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, part] of Object.entries(members)) {
    const value = pack[name]
    if (value === undefined) {
      findings.missing(part, `The member "${name}" was left out.`)
    } else if (!isCanonical(value) || digests[name] !== (await digestOf(value))) {
      findings.wrong(part, `The member "${name}" is not as the server sealed it: it, or something in it, was altered.`)
    }
  }
}

function isCanonical(value: unknown): boolean {
  try {
    return canonicalJson(value) !== ''
  } catch {
    return false
  }
}
