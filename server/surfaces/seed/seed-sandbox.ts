import type { WalletCall } from '../../base/core/call'
import { currencyDigits } from '../../base/core/money'
import type { Platform } from '../../base/core/platform'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { asSandbox } from '../../base/platform/processor/sandbox'
import { createPrincipal, findPrincipal, PORTAL_TENANT_ID, type PrincipalRow } from '../../shared/principals'
import { hasEverHadCard, listCards } from '../../wallet/cards'
import { insertFirstLimits, readLimits } from '../../wallet/limits'
import { enrolTestCard } from '../operator'
import { seedSandboxMerchants } from '../sandbox'
import { demoPerson } from './demo-person'

type SavedLimits = NonNullable<Awaited<ReturnType<typeof readLimits.verb>>>

/** The seeded person's address, card and limits, which the sandbox shows at its start. */
export interface SandboxSeed {
  readonly email: string
  readonly card: { readonly brand: string; readonly last4: string } | null
  readonly limits: {
    readonly currency: string
    /** The number of digits of the currency's minor unit. */
    readonly digits: number
    readonly dailyCapMinor: number | null
    readonly singleTxnCapMinor: number | null
  } | null
}

/**
 * Seeds the sandbox: its merchants and a person who is ready to pay. Each part is created once and not changed again,
 * so that restarts keep the person's changes; several processes may run it at the same time. Null when the person was
 * erased.
 */
export async function seedSandbox(platform: Platform): Promise<SandboxSeed | null> {
  await seedSandboxMerchants(platform)
  const person = (await findPrincipal(platform.db, demoPerson.id)) ?? (await createPerson(platform))
  if (person === null || person.erased) return null
  const wallet = walletOf(platform, person)
  await insertFirstLimits(platform.db, { principalId: person.id, ...demoPerson.limits, now: wallet.now })
  if (asSandbox(platform.processor) !== null && !(await hasEverHadCard(platform.db, person.id))) {
    await enrolTestCard(wallet, { card: demoPerson.card, idempotencyKey: `seed:${person.id}` })
  }
  return person.email === null ? null : readSandboxSeed(wallet, person.email)
}

async function readSandboxSeed(wallet: WalletCall, email: string): Promise<SandboxSeed> {
  const { cards } = await listCards.verb(wallet)
  const card = cards.find((candidate) => candidate.is_default)
  const limits = await readLimits.verb(wallet)
  return {
    email,
    card: card === undefined ? null : { brand: card.brand, last4: card.last4 },
    limits: limits === null ? null : renderLimits(limits),
  }
}

function renderLimits({
  currency,
  daily_cap_minor: dailyCapMinor,
  single_txn_cap_minor: singleTxnCapMinor,
}: SavedLimits): SandboxSeed['limits'] {
  if (currency === null) return null
  return { currency, digits: currencyDigits(currency) ?? 2, dailyCapMinor, singleTxnCapMinor }
}

/**
 * Creates the person; null when another person has the address. A parallel process may have created the same person.
 */
async function createPerson(platform: Platform): Promise<PrincipalRow | null> {
  try {
    return await createPrincipal(platform.db, {
      id: demoPerson.id,
      tenantId: PORTAL_TENANT_ID,
      email: demoPerson.email,
      displayName: demoPerson.displayName,
      approvalRule: 'new_merchants',
      now: platform.clock.now(),
    })
  } catch (error) {
    if (isUniqueViolation(error, 'principals_email')) return findPrincipal(platform.db, demoPerson.id)
    throw error
  }
}

function walletOf(platform: Platform, person: PrincipalRow): WalletCall {
  const actor = {
    kind: 'wallet',
    principalId: person.id,
    tenantId: person.tenant_id,
    via: 'portal',
    session: null,
  } as const
  return { actor, platform, requestId: platform.random.uuid(), now: platform.clock.now() }
}
