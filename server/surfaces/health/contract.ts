import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'

const common = { method: 'GET', tag: 'Health', access: { actor: 'anonymous' }, refusal: 'oauth' } as const

export const readLivenessEndpoint = defineEndpoint({
  ...common,
  operationId: 'readLiveness',
  path: '/healthz',
  summary: 'Check liveness: the process answers',
  output: z.strictObject({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Liveness' }),
})

export const readReadinessEndpoint = defineEndpoint({
  ...common,
  operationId: 'readReadiness',
  path: '/readyz',
  summary: 'Check readiness: whether the process takes requests, and whether database and cache answer',
  otherStatuses: { 503: 'The database does not answer, or the process is stopping' },
  output: z
    .strictObject({
      status: z.enum(['ready', 'degraded', 'stopping', 'unavailable']).meta({
        description:
          '`ready` and `degraded`, in which only the cache is away, come with 200; `unavailable` and `stopping` with 503.',
      }),
      database: z.enum(['ok', 'unreachable']),
      cache: z.enum(['ok', 'unreachable']),
    })
    .meta({ id: 'Readiness' }),
})
