import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { pathId } from '../../base/contract/wire'

const common = {
  method: 'GET',
  tag: 'Status list',
  access: { actor: 'anonymous' },
  headers: ['accept', 'if-none-match'],
  switch: 'status_list',
  refusal: 'oauth',
  refusals: ['not_acceptable', 'not_implemented'],
} as const

const query = z.object({ time: z.string().optional().meta({ description: 'Historical lists are not kept: 501.' }) })

export const readStatusListEndpoint = defineEndpoint({
  ...common,
  operationId: 'readStatusList',
  path: '/oauth/status-list/{list_id}',
  summary: 'Read the signed Status List Token',
  params: z.object({ list_id: pathId }),
  query,
  output: z.string(),
  produces: 'application/statuslist+jwt',
})

export const readStatusListsEndpoint = defineEndpoint({
  ...common,
  operationId: 'readStatusLists',
  path: '/oauth/status-list',
  summary: 'Read the Status List Aggregation, or the configured token for clients that request its media type',
  query,
  output: z.strictObject({ status_lists: z.array(z.url()) }).meta({ id: 'StatusListAggregation' }),
  produces: ['application/json', 'application/statuslist+jwt'],
})
