import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { pathId } from '../../../base/contract/wire'
import { confirmable } from '../../../identity/passkeys/contract'
import { ageInYears } from '../../../wallet/age-proofs/contract'

export const proveAgeProcedure = definePortalProcedure({
  input: z.strictObject({ age: ageInYears, ...confirmable }),
  switch: 'presentation_request',
  stepUp: 'age.prove',
})

/** One request of the person, to be read or withdrawn. */
export const ageRequestProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })
