import { operation } from '../contract/endpoint'
import { authorize } from './authorize'
import { authorizeEndpoint } from './contract'

export const authorizeRequest = operation(authorizeEndpoint, authorize)
