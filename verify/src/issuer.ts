import { AUDIT_CHECKPOINT_TYPE, MANDATE_TYPE, RECEIPT_TYPE, SEAL_TYPE } from './document-types.ts'
import { DocumentError, type KeySet, verifyDocument } from './documents.ts'
import { isJsonObject, type JsonObject } from './encoding.ts'
import type { Findings } from './findings.ts'
import { parseUrl } from './parse-url.ts'

/**
 * Returns the server that made the pack: the one that the pack names or, without that member, the issuer of the first
 * of its signed documents, the seal before the others. Null when none names one.
 */
export async function readIssuer(pack: JsonObject, keys: KeySet | null, findings: Findings): Promise<string | null> {
  const { issuer } = pack
  if (isAddress(issuer)) return issuer
  if (issuer !== undefined) {
    findings.wrong('pack', 'The issuer is no address.')
    return null
  }
  findings.missing('pack', 'The pack does not say which server made it.')
  return keys === null ? null : findSigner(pack, keys)
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && parseUrl(value) !== null

async function findSigner(pack: JsonObject, keys: KeySet): Promise<string | null> {
  for (const { jws, typ } of documentsOf(pack)) {
    if (typeof jws !== 'string') continue
    try {
      const { iss } = (await verifyDocument(jws, typ, keys)).payload
      if (isAddress(iss)) return iss
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
    }
  }
  return null
}

function documentsOf({ seal, mandate, receipt, audit }: JsonObject): { readonly jws: unknown; readonly typ: string }[] {
  const sdJwt = memberOf(mandate, 'sd_jwt')
  return [
    { jws: seal, typ: SEAL_TYPE },
    { jws: typeof sdJwt === 'string' ? sdJwt.split('~')[0] : undefined, typ: MANDATE_TYPE },
    { jws: memberOf(receipt, 'jws'), typ: RECEIPT_TYPE },
    { jws: memberOf(memberOf(audit, 'checkpoint'), 'jws'), typ: AUDIT_CHECKPOINT_TYPE },
  ]
}

const memberOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined)
