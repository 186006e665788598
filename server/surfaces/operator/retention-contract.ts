import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { timestamp } from '../../base/contract/wire'
import { common } from './contract'

const retainedKind = z
  .strictObject({
    kind: z.string(),
    what: z.string(),
    tables: z.array(z.strictObject({ table: z.string(), rows: z.int().min(0) })),
    kept: z
      .union([z.int().min(0), z.enum(['until_erased', 'while_the_service_runs'])])
      .meta({ description: 'Seconds after the time that the documentation names, or how long otherwise.' }),
    oldest_goes_at: timestamp.nullable().meta({
      description: 'When the oldest row is deleted; null when there is none, and for what no sweep deletes.',
    }),
  })
  .meta({ id: 'RetainedKind' })

export const readRetentionEndpoint = defineEndpoint({
  ...common,
  operationId: 'readRetention',
  method: 'GET',
  path: '/operator/retention',
  summary: 'Read what is kept and how long: the rows of each table, and when the oldest is deleted',
  output: z.strictObject({ retention: z.array(retainedKind) }).meta({ id: 'RetentionList' }),
})
