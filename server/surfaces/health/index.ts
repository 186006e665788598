import { operation } from '../../base/contract/endpoint'
import { readLivenessEndpoint, readReadinessEndpoint } from './contract'
import { readLiveness, readReadiness } from './read-health'

export const liveness = operation(readLivenessEndpoint, readLiveness)
export const readiness = operation(readReadinessEndpoint, readReadiness)
