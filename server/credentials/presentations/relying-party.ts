import { createPrivateKey, type KeyObject } from 'node:crypto'
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

/** What verbs know of the call. */
export type RelyingPartyCall = Pick<Call, 'platform' | 'now'>

/** Who this server is to wallets, with the key that proves it. */
export interface RelyingParty {
  readonly clientId: string
  readonly x5c: readonly string[]
  readonly privateKey: KeyObject
  readonly verifierInfo: readonly VerifierInfo[] | null
}

const TEST_CERTIFICATE_DAYS = 365
const DAY_MILLISECONDS = 86_400_000

/** The client_id that wallets bind presentations to; null while no access certificate is provisioned. */
export async function readClientId({ platform, now }: RelyingPartyCall): Promise<string | null> {
  return usable(await findStoredRelyingParty(platform.db), now)?.clientId ?? null
}

/** Whether this server can ask wallets. */
export async function isRelyingParty(call: RelyingPartyCall): Promise<boolean> {
  return (await findCertificate(call)) !== null
}

/** What requests are signed with. @throws ServiceError `request_object_invalid` (503) without an access certificate */
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

/** The certificate that is valid now; a sandbox whose operator has said nothing about it makes one. */
export async function findCertificate({ platform, now }: RelyingPartyCall): Promise<StoredCertificate | null> {
  const stored = await findStoredRelyingParty(platform.db)
  const certificate = usable(stored, now)
  if (certificate !== null || !platform.config.sandbox || !isOpenToTests(stored)) return certificate
  await insertTestRelyingParty(platform.db, await mintForTests(platform, now), now)
  // That of the process that was first.
  return usable(await findStoredRelyingParty(platform.db), now)
}

function usable(stored: StoredRelyingParty, now: Date): StoredCertificate | null {
  return typeof stored === 'object' && stored.notAfter > now ? stored : null
}

/** The operator has neither removed a certificate nor set one. */
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
