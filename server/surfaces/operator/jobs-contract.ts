import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { pathId, timestamp } from '../../base/contract/wire'
import { common } from './contract'

const jobState = z.enum(['queued', 'done', 'dead'])

const deadJob = z
  .strictObject({
    id: z.string(),
    kind: z.string(),
    attempts: z.int(),
    last_error: z.string().nullable().meta({ description: 'What failed, by its class and code; no personal data.' }),
    created_at: timestamp,
  })
  .meta({ id: 'DeadJob' })

export const listJobsEndpoint = defineEndpoint({
  ...common,
  operationId: 'listJobs',
  method: 'GET',
  path: '/operator/jobs',
  summary: 'Count the jobs of each kind in each state, and list the newest of those that were given up',
  output: z
    .strictObject({
      counts: z.array(z.strictObject({ kind: z.string(), state: jobState, count: z.int() })),
      dead: z.array(deadJob).meta({ description: 'The newest 100.' }),
    })
    .meta({ id: 'Jobs' }),
})

export const retryJobEndpoint = defineEndpoint({
  ...common,
  operationId: 'retryJob',
  method: 'POST',
  path: '/operator/jobs/{id}/retry',
  summary: 'Retry a job that was given up',
  params: z.object({ id: pathId }),
  output: z.strictObject({ id: z.string(), kind: z.string(), state: z.literal('queued') }).meta({ id: 'RetriedJob' }),
  refusals: ['not_found'],
})
