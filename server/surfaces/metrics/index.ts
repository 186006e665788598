import { operation } from '../../base/contract/endpoint'
import { readMetricsEndpoint } from './contract'
import { readMetrics } from './read-metrics'

export const metrics = operation(readMetricsEndpoint, readMetrics)
