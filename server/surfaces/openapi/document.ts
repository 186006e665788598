import * as z from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi'
import { type AnyOperation, type Body, type EndpointShape, otherTypeCode } from '../../base/contract/endpoint'
import { API_VERSION } from '../../base/contract/version'
import { errorEnvelope, oauthValidationErrorBody, validationErrorBody } from '../../base/contract/wire'
import { type ErrorCode, statusOfCode } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { tagDescriptions } from './tags'

/** Builds the OpenAPI 3.1 description of this deployment from the schemas that validate its requests. */
export function buildDocument(operations: readonly AnyOperation[], platform: Platform) {
  const served = operations.filter(({ endpoint }) => platform.config.sandbox || endpoint.sandboxOnly !== true)
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const { endpoint } of served) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = describe(endpoint)
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Countersign',
      version: API_VERSION,
      description:
        'OAuth 2.0 authorization server for agents that pay: pushed authorization requests (RFC 9126), DPoP-bound tokens (RFC 9449), mandates for single purchases, and their settlement.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: platform.config.baseUrl }],
    externalDocs: { url: `${platform.config.baseUrl}/docs/oauth`, description: 'How to use the API, with examples' },
    tags: [...new Set(served.map(({ endpoint }) => endpoint.tag))].map(describeTag),
    paths,
    components: { securitySchemes: securitySchemes(platform) },
  })
}

function describeTag(name: string) {
  const description = tagDescriptions[name]
  return description === undefined ? { name } : { name, description }
}

const securitySchemes = ({ config }: Platform) =>
  ({
    clientAssertion: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Client-Assertion',
      description: 'private_key_jwt (RFC 7523), in the body as client_assertion unless the operation says otherwise.',
    },
    dpop: { type: 'apiKey', in: 'header', name: 'DPoP', description: 'DPoP proof (RFC 9449).' },
    accessToken: {
      type: 'http',
      scheme: 'DPoP',
      description: config.requireDpop
        ? 'DPoP-bound access token.'
        : 'DPoP-bound access token; wallet endpoints also take Bearer.',
    },
    operatorToken: { type: 'http', scheme: 'bearer', description: "The operator's token." },
    metricsToken: { type: 'http', scheme: 'bearer', description: 'The token that reads metrics and nothing else.' },
    clientAuthorization: {
      type: 'http',
      scheme: 'PrivateKeyJwt',
      description: 'Authorization: PrivateKeyJwt <assertion> (RFC 7523).',
    },
  }) as const

function security(endpoint: EndpointShape): Record<string, string[]>[] {
  const { access } = endpoint
  switch (access.actor) {
    case 'anonymous':
      return [{}]
    case 'operator':
      return [{ operatorToken: [] }, ...(access.alsoToken === 'metrics' ? [{ metricsToken: [] }] : [])]
    case 'backend':
      return [{ operatorToken: [] }, { clientAssertion: [] }]
    case 'client': {
      const client = access.credentials === 'authorization' ? 'clientAuthorization' : 'clientAssertion'
      return [{ [client]: [], ...(access.dpop === 'mint' ? { dpop: [] } : {}) }]
    }
    case 'wallet':
    case 'agent':
      return [{ accessToken: [] }]
  }
}

function describe(endpoint: EndpointShape): ZodOpenApiOperationObject {
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    security: security(endpoint),
    ...requestOf(endpoint),
    responses: responses(endpoint),
  }
}

/** The headers of a client, without that of the assertion, which is a security scheme. */
const clientHeaders = z.object({
  'X-Client-Id': z.string().optional().meta({ description: "The assertion's issuer." }),
})

function requestOf(endpoint: EndpointShape): Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody'> {
  const { params, query, body, access } = endpoint
  const requestParams = {
    ...(access.actor === 'backend' || (access.actor === 'client' && access.credentials === 'headers')
      ? { header: clientHeaders }
      : {}),
    ...(params === undefined ? {} : { path: params }),
    ...(query === undefined ? {} : { query: query as never }),
  }
  const withParams = Object.keys(requestParams).length === 0 ? {} : { requestParams }
  if (body === undefined) return withParams
  if (body.kind === 'raw') {
    return {
      ...withParams,
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    }
  }
  const content = Object.fromEntries(mediaTypesOf(body).map((type) => [type, { schema: body.schema }]))
  return { ...withParams, requestBody: { required: true, content } }
}

function mediaTypesOf(body: Exclude<Body, { kind: 'raw' }>): string[] {
  const form = 'application/x-www-form-urlencoded'
  if (body.kind === 'form') return [form]
  return body.orForm === true ? [form, 'application/json'] : ['application/json']
}

function responses(endpoint: EndpointShape): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of refusalsOf(endpoint)) {
    const status = statusAt(endpoint, code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const refused = Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { description: codes.join(', '), content: { 'application/json': { schema: errorEnvelope } } },
    ]),
  )
  const takesInput = endpoint.body !== undefined || endpoint.query !== undefined || endpoint.validatesPath === true
  return {
    ...success(endpoint),
    ...refused,
    ...(endpoint.refusal !== 'oauth' && takesInput ? { '422': invalidResponse(endpoint, byStatus.get(422)) } : {}),
  } as ZodOpenApiResponsesObject
}

/** Describes the response with the list of validation errors, and the codes of the same status. */
function invalidResponse({ refusal }: EndpointShape, codes: readonly ErrorCode[] = []) {
  const listed = refusal === 'oauth-validation' ? oauthValidationErrorBody : validationErrorBody
  const schema = codes.length === 0 ? listed : z.union([listed, errorEnvelope])
  const description = ['Typed validation failed', ...codes].join(', ')
  return { description, content: { 'application/json': { schema } } }
}

/** Returns the status that a code has at an endpoint. */
export function statusAt(endpoint: EndpointShape, code: ErrorCode): number {
  return endpoint.statusOf?.[code] ?? statusOfCode[code]
}

function success(endpoint: EndpointShape): Record<string, unknown> {
  const content = contentOf(endpoint)
  const location = { description: 'Where to go.', required: true, schema: { type: 'string', format: 'uri' } }
  const redirect = { description: 'Redirect', headers: { Location: location } }
  if (endpoint.redirects === 'always') return { '302': redirect }
  if (endpoint.redirects === 'or-202')
    return { '202': { description: 'The person has to act first', content }, '302': redirect }
  const others = Object.entries(endpoint.otherStatuses ?? {}).map(([status, description]) => [
    status,
    { description, content },
  ])
  return {
    [endpoint.status ?? 200]: { description: 'Success', ...(content !== null && { content }) },
    ...Object.fromEntries(others),
    ...(endpoint.headers?.includes('if-none-match') && {
      '304': { description: 'If-None-Match names what is served' },
    }),
  }
}

/** Returns the media types of the success answer; null when it is empty. */
function contentOf({ output, produces = 'application/json' }: EndpointShape) {
  if (output instanceof z.ZodNull) return null
  const schemaOf = (type: string) => (type.endsWith('json') ? output : z.string())
  return Object.fromEntries([produces].flat().map((type) => [type, { schema: schemaOf(type) }]))
}

/** Returns the codes that access, parameters, quota and switch imply, and those that the contract names. */
export function refusalsOf(endpoint: EndpointShape): Set<ErrorCode> {
  const { quota, switch: gate, refusals = [] } = endpoint
  return new Set<ErrorCode>([
    ...refusalsOfAccess(endpoint),
    ...(quota === undefined ? [] : (['rate_limited'] as const)),
    ...(gate === undefined ? [] : (['service_unavailable'] as const)),
    ...(endpoint.guardedInPublic === true ? (['invalid_token'] as const) : []),
    ...refusals,
    ...refusalsOfParameters(endpoint),
  ])
}

function refusalsOfAccess({ access }: EndpointShape): readonly ErrorCode[] {
  switch (access.actor) {
    case 'client':
      return [
        'invalid_client',
        'rate_limited',
        ...(access.dpop === 'mint' ? (['invalid_dpop_proof', 'use_dpop_nonce'] as const) : []),
      ]
    case 'wallet':
    case 'agent':
      return ['invalid_token', 'insufficient_scope', 'rate_limited']
    case 'operator':
      return ['invalid_token']
    case 'backend':
      return [
        'invalid_client',
        'invalid_request',
        'rate_limited',
        ...(access.operatorOnly === true ? (['forbidden'] as const) : []),
      ]
    case 'anonymous':
      return []
  }
}

function refusalsOfParameters({ params, query, body }: EndpointShape): readonly ErrorCode[] {
  return [
    ...(params === undefined ? [] : (['not_found'] as const)),
    ...(query === undefined && body === undefined ? [] : (['invalid_request'] as const)),
    ...(body === undefined ? [] : (['body_too_large', otherTypeCode(body)] as const)),
  ]
}
