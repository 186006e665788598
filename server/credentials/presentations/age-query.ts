import type { DcqlQuery } from '../../base/protocol/dcql'
import { credentialType } from '../issuance'

/** The id of the credential query for this server's own credential. */
export const OWN_CREDENTIAL = 'age_verified_buyer'
const PID = 'pid'
/** The type of person identification data (PID) that all EU member states share. */
const PID_TYPE = 'urn:eudi:pid:1'

/** Returns the path of the claim that says whether a person has reached an age. */
const agePath = (age: number): string[] => ['age_equal_or_over', String(age)]

/** Builds a query for one claim that must be true, of a person identification or of this server's own credential. */
export function ageQuery(baseUrl: string, age: number): DcqlQuery {
  const ask = (id: string, vct: string) => ({
    id,
    format: 'dc+sd-jwt' as const,
    meta: { vct_values: [vct] },
    claims: [{ path: agePath(age), values: [true] }],
  })
  return {
    credentials: [ask(PID, PID_TYPE), ask(OWN_CREDENTIAL, credentialType(baseUrl, 'service_age_verified_buyer'))],
    credential_sets: [{ options: [[PID], [OWN_CREDENTIAL]] }],
  }
}
