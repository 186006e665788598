import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'

export const searchDirectoryProcedure = definePortalProcedure({ input: z.strictObject({ words: z.string().max(200) }) })
