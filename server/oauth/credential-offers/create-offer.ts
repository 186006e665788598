import type { Platform, Queryable } from '../../base/core/platform'
import type { JsonObject } from '../../base/protocol/encoding'
import { sha256Base64url } from '../../base/protocol/encoding'
import type { CredentialConfigurationId } from './contract'
import { codeOfHandle, hashOpaque, hashTxCode, isOpen, newHandle, newTxCode, TX_CODE_PURPOSE } from './offer'
import { findOfferByHandle, insertOffer, type OfferMaker } from './store'

export interface OfferToCreate {
  readonly configuration: CredentialConfigurationId
  /** The claims of the credential. */
  readonly subject: JsonObject
  readonly tenantId: string | null
  readonly principalId: string | null
  /** The person who made the offer in the portal; null for other offers, whose mandates cannot approve purchases. */
  readonly maker: OfferMaker | null
  readonly wantsTxCode: boolean
  readonly now: Date
}

/** A new offer as its maker gets it. Code and transaction code are not available later. */
export interface CreatedOffer {
  readonly id: string
  readonly handle: string
  readonly code: string
  readonly txCode: string | null
}

/** Stores an offer of one credential. */
export async function createCredentialOffer(
  db: Queryable,
  platform: Platform,
  offer: OfferToCreate,
): Promise<CreatedOffer> {
  const { random, sealer, config } = platform
  const { wantsTxCode, now, ...rest } = offer
  const id = random.uuid()
  const handle = newHandle(platform)
  const code = codeOfHandle(handle)
  const txCode = wantsTxCode ? newTxCode(platform) : null
  await insertOffer(db, {
    ...rest,
    id,
    handleHash: sha256Base64url(handle),
    codeHash: sha256Base64url(code),
    txCodeHash: txCode === null ? null : hashTxCode(sealer.derive(TX_CODE_PURPOSE), id, txCode),
    now,
    expiresAt: new Date(now.getTime() + config.credentialOfferTtlSeconds * 1000),
  })
  return { id, handle, code, txCode }
}

/** The parts of an offer that a wallet reads by its address. */
export interface OpenOffer {
  readonly configuration: CredentialConfigurationId
  readonly code: string
  readonly needsTxCode: boolean
}

/** Finds the offer of an address; null when it is unknown or cannot be redeemed. */
export async function findOpenOffer({ db }: Platform, handle: string, now: Date): Promise<OpenOffer | null> {
  const handleHash = hashOpaque(handle)
  const offer = handleHash === null ? null : await findOfferByHandle(db, handleHash)
  if (offer === null || !isOpen(offer, now)) return null
  return {
    configuration: offer.configuration,
    code: codeOfHandle(handle),
    needsTxCode: offer.tx_code_hash !== null,
  }
}
