import { operation } from '../contract/endpoint'
import { authorize } from './authorize'
import { authorizeEndpoint, confirmMagicLinkEndpoint } from './contract'
import { confirmMagicLink } from './magic-link'

export const authorizeRequest = operation(authorizeEndpoint, authorize)
export const confirmLink = operation(confirmMagicLinkEndpoint, confirmMagicLink)

export { readMagicLink } from './magic-link'
