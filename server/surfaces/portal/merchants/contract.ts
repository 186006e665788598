import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { identifier } from '../../../base/contract/wire'

export const searchDirectoryProcedure = definePortalProcedure({ input: z.strictObject({ words: z.string().max(200) }) })

export const readMerchantProcedure = definePortalProcedure({ input: z.strictObject({ id: identifier(255) }) })
