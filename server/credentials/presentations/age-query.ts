import type { DcqlQuery } from '../../base/protocol/dcql'
import { credentialType } from '../issuance'

/** The credential query that our own credential answers. */
export const OWN_CREDENTIAL = 'age_verified_buyer'
const PID = 'pid'
/** Person identification data of the EU, in the type that all member states share. */
const PID_TYPE = 'urn:eudi:pid:1'

/** The claim that says whether a person has reached an age. */
const agePath = (age: number): string[] => ['age_equal_or_over', String(age)]

/** Asks for one claim that must be true, of a person identification or of our own credential: either is enough. */
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
