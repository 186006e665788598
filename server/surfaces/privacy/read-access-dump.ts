import type { Platform, Queryable } from '../../base/core/platform'
import { readStoredCredentials } from '../../credentials/issuance'
import { readStoredPresentations } from '../../credentials/presentations'
import { readStoredPhoneCodes } from '../../identity/contacts'
import { readStoredPasskeys } from '../../identity/passkeys'
import { readStoredSessions } from '../../identity/sessions'
import { readStoredPayments } from '../../money/payments'
import { readStoredSettlements } from '../../money/settlement'
import { readStoredRequests } from '../../oauth/authorization'
import { readStoredClients } from '../../oauth/clients'
import { readStoredOffers } from '../../oauth/credential-offers'
import { readStoredMandates } from '../../oauth/mandates'
import { readStoredFamilies } from '../../oauth/tokens'
import { readStoredLinks } from '../../shared/mailed-links'
import { readStoredNotifications } from '../../shared/notifications'
import { type PrincipalRow, readStoredSettings } from '../../shared/principals'
import { readRequestLog } from '../../shared/request-log'
import { readStoredAgeProofs } from '../../wallet/age-proofs'
import { readStoredApprovals } from '../../wallet/approvals'
import { readStoredCards } from '../../wallet/cards'
import { readStoredLimits } from '../../wallet/limits'
import { readStoredMerchantRules } from '../../wallet/merchant-rules'
import { aboutProcessing } from './about'
import { listStoredRequests } from './list-requests'
import { readPortability, readWalletOperator } from './read-portability'

type StoredData = (db: Queryable, principalId: string) => Promise<{ readonly [name: string]: unknown }>

/** The functions by which each slice returns its data about a person. */
const sources: readonly StoredData[] = [
  readStoredLimits,
  readStoredNotifications,
  readStoredCards,
  readStoredPayments,
  readStoredSettlements,
  readStoredApprovals,
  readStoredMerchantRules,
  readStoredPasskeys,
  readStoredSessions,
  readStoredPhoneCodes,
  readStoredLinks,
  readStoredClients,
  readStoredRequests,
  readStoredFamilies,
  readStoredMandates,
  readStoredOffers,
  readStoredCredentials,
  readStoredPresentations,
  readStoredAgeProofs,
]

interface AccessOrder {
  readonly principal: PrincipalRow
  readonly requestId: string
}

/** Returns all stored data about the person: the portability dump and more, without secrets, hashes or keys. */
export async function readAccessDump(platform: Platform, { principal, requestId }: AccessOrder) {
  const { db } = platform
  const { id: principalId, tenant_id: tenantId, email, display_name, created_at } = principal
  const { erased, processing_restricted, marketing_objected } = principal
  const walletOperator = await readWalletOperator(db, tenantId)
  const stored: Record<string, unknown> = {}
  for (const read of sources) Object.assign(stored, await read(db, principalId))
  return {
    ...(await readPortability(db, { principalId, tenantId, walletOperator, requestId })),
    profile: { email, display_name, created_at },
    flags: { erased, processing_restricted, marketing_objected },
    settings: await readStoredSettings(db, principalId),
    ...stored,
    privacy_requests: await listStoredRequests(db, principalId),
    api_requests: await readRequestLog(platform, principalId),
    about: aboutProcessing,
  }
}
