import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'

const common = { method: 'GET', tag: 'Health', access: { actor: 'anonymous' }, refusal: 'oauth' } as const

export const readLivenessEndpoint = defineEndpoint({
  ...common,
  operationId: 'readLiveness',
  path: '/healthz',
  summary: 'The process answers',
  output: z.strictObject({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Liveness' }),
})

export const readReadinessEndpoint = defineEndpoint({
  ...common,
  operationId: 'readReadiness',
  path: '/readyz',
  summary: 'Database and cache answer',
  output: z
    .strictObject({
      status: z.enum(['ready', 'unavailable']),
      database: z.enum(['ok', 'unavailable']),
      cache: z.enum(['ok', 'unavailable']),
    })
    .meta({ id: 'Readiness' }),
})
