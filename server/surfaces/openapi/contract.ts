import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { pathId } from '../../base/contract/wire'

const common = { method: 'GET', tag: 'Description', access: { actor: 'anonymous' }, refusal: 'oauth' } as const

export const readOpenApiEndpoint = defineEndpoint({
  ...common,
  operationId: 'readOpenApi',
  path: '/openapi.json',
  summary: 'Read this description (OpenAPI 3.1)',
  output: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
})

export const readDocsEndpoint = defineEndpoint({
  ...common,
  operationId: 'readDocs',
  path: '/docs',
  summary: 'Read the API reference as a page',
  output: z.string(),
  produces: 'text/html',
})

export const readDocsAssetEndpoint = defineEndpoint({
  ...common,
  operationId: 'readDocsAsset',
  path: '/docs/{asset}',
  summary: 'Read pages of documentation, and scripts and styles of the API reference',
  params: z.object({ asset: pathId }),
  output: z.string(),
  produces: ['text/html', 'text/css', 'text/javascript'],
})

export const readLlmsEndpoint = defineEndpoint({
  ...common,
  operationId: 'readLlms',
  path: '/llms.txt',
  summary: 'Read what this server is and where its documentation stands, for language models',
  output: z.string(),
  produces: 'text/plain',
})
