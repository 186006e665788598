import * as z from 'zod'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { AGE_MAX } from './input'

/** An age in whole years. */
export const ageInYears = z.int().min(1).max(AGE_MAX)

export const removeAgeProofProcedure = definePortalProcedure({ input: z.strictObject({ age: ageInYears }) })
