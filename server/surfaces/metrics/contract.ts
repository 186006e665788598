import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'

export const readMetricsEndpoint = defineEndpoint({
  operationId: 'readMetrics',
  method: 'GET',
  path: '/metrics',
  tag: 'Health',
  summary: 'Read the metrics of the server, in the text format of Prometheus',
  refusal: 'oauth',
  access: { actor: 'operator', alsoToken: 'metrics' },
  output: z.string(),
  produces: 'text/plain',
})
