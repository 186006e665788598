import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'

const common = {
  method: 'GET',
  tag: 'Metadata',
  access: { actor: 'anonymous' },
  headers: ['if-none-match'],
  refusal: 'oauth',
} as const

const jwks = z.strictObject({ keys: z.array(z.record(z.string(), z.string())) }).meta({ id: 'JwkSet' })

export const readServerMetadataEndpoint = defineEndpoint({
  ...common,
  operationId: 'readServerMetadata',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Read the authorization server metadata (RFC 8414)',
  output: z.looseObject({ issuer: z.string() }).meta({ id: 'ServerMetadata' }),
})

export const readJwksEndpoint = defineEndpoint({
  ...common,
  operationId: 'readJwks',
  path: '/oauth/jwks.json',
  summary: 'Read the public verification keys (RFC 7517)',
  output: jwks,
})

export const readWellKnownJwksEndpoint = defineEndpoint({
  ...readJwksEndpoint,
  operationId: 'readWellKnownJwks',
  path: '/.well-known/jwks.json',
})

export const readVcIssuerEndpoint = defineEndpoint({
  ...common,
  operationId: 'readVcIssuer',
  path: '/.well-known/jwt-vc-issuer',
  summary: 'Read the keys of the mandate issuer (SD-JWT VC)',
  output: z.strictObject({ issuer: z.string(), jwks }).meta({ id: 'VcIssuerMetadata' }),
})

export const readMandateTypeEndpoint = defineEndpoint({
  ...common,
  operationId: 'readMandateType',
  path: '/vct/payment-mandate/1',
  summary: 'Read the type metadata of the payment mandate (SD-JWT VC)',
  output: z.looseObject({ vct: z.string() }).meta({ id: 'TypeMetadata' }),
})
