import { operation } from '../../base/contract/endpoint'
import {
  readJwksEndpoint,
  readMandateTypeEndpoint,
  readServerMetadataEndpoint,
  readVcIssuerEndpoint,
  readWellKnownJwksEndpoint,
} from './contract'
import { readJwks, readMandateType, readServerMetadata, readVcIssuer } from './read-metadata'

export { buildServerMetadata } from './read-metadata'

export const serverMetadata = operation(readServerMetadataEndpoint, readServerMetadata)
export const jwks = operation(readJwksEndpoint, readJwks)
export const wellKnownJwks = operation(readWellKnownJwksEndpoint, readJwks)
export const vcIssuer = operation(readVcIssuerEndpoint, readVcIssuer)
export const mandateTypeMetadata = operation(readMandateTypeEndpoint, readMandateType)

export { publicJson } from './public-json'
