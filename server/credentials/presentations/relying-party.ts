import { createPrivateKey, type KeyObject } from 'node:crypto'
import { DAY_MILLISECONDS } from '../../base/core/calendar-day'
import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { clientIdOf } from '../../base/protocol/access-certificate'
import { mintTestCertificate } from '../../base/protocol/test-certificate'
import type { VerifierInfo } from './relying-party-contract'
import {
  findStoredRelyingParty,
  insertTestRelyingParty,
  relyingPartyKeyContext,
  type StoredCertificate,
  type StoredRelyingParty,
} from './relying-party-store'

/** The members of a call that these functions need. */
export type RelyingPartyCall = Pick<Call, 'platform' | 'now'>

/** This server as a relying party for wallet apps, with its certificate and private key. */
export interface RelyingParty {
  readonly clientId: string
  readonly x5c: readonly string[]
  readonly privateKey: KeyObject
  readonly verifierInfo: readonly VerifierInfo[] | null
}

const TEST_CERTIFICATE_DAYS = 365

/** Returns the client_id to which wallet apps bind presentations; null without a valid access certificate. */
export async function readClientId({ platform, now }: RelyingPartyCall): Promise<string | null> {
  return usable(await findStoredRelyingParty(platform.db), now)?.clientId ?? null
}

/** Returns whether this server can send requests to wallet apps. */
export async function isRelyingParty(call: RelyingPartyCall): Promise<boolean> {
  return (await findCertificate(call)) !== null
}

/**
 * Returns the key and certificate that sign requests. @throws ServiceError `request_object_invalid` (503) without them
 */
export async function requireRelyingParty(call: RelyingPartyCall): Promise<RelyingParty> {
  const certificate = await findCertificate(call)
  if (certificate === null) {
    throw new ServiceError(
      'request_object_invalid',
      'No valid access certificate is provisioned to sign requests with.',
    )
  }
  const { clientId, x5c, verifierInfo, sealedPrivateKey } = certificate
  const key = call.platform.sealer.open(sealedPrivateKey, relyingPartyKeyContext())
  return { clientId, x5c, verifierInfo, privateKey: createPrivateKey({ key, type: 'pkcs8', format: 'der' }) }
}

/** Returns the certificate that is valid now. A sandbox makes one, unless its operator has set or removed one. */
export async function findCertificate({ platform, now }: RelyingPartyCall): Promise<StoredCertificate | null> {
  const stored = await findStoredRelyingParty(platform.db)
  const certificate = usable(stored, now)
  if (certificate !== null || !platform.config.sandbox || !isOpenToTests(stored)) return certificate
  await insertTestRelyingParty(platform.db, await mintForTests(platform, now), now)
  // Of parallel processes, the first has stored its certificate.
  return usable(await findStoredRelyingParty(platform.db), now)
}

function usable(stored: StoredRelyingParty, now: Date): StoredCertificate | null {
  return typeof stored === 'object' && stored.notAfter > now ? stored : null
}

/** Returns whether the operator has neither set nor removed a certificate. */
function isOpenToTests(stored: StoredRelyingParty): boolean {
  return stored === 'none' || (typeof stored === 'object' && stored.isTest)
}

async function mintForTests({ config, random, sealer }: Platform, now: Date): Promise<StoredCertificate> {
  const host = new URL(config.baseUrl).hostname
  const notBefore = new Date(now.getTime() - DAY_MILLISECONDS)
  const notAfter = new Date(now.getTime() + TEST_CERTIFICATE_DAYS * DAY_MILLISECONDS)
  const { chain, privateKey } = await mintTestCertificate({ host, notBefore, notAfter, bytes: random.bytes })
  const [leaf, anchor] = chain
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  return {
    x5c: [leaf],
    anchor,
    clientId: clientIdOf(leaf, 'x509_hash', host),
    verifierInfo: null,
    sealedPrivateKey: sealer.seal(pkcs8, relyingPartyKeyContext()),
    notAfter,
    isTest: true,
  }
}
