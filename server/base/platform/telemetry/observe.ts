import { secondsSince } from '../../core/elapsed'
import { OutboundFailure } from '../../core/outbound-failure'
import { parseUrl } from '../../core/parse-url'
import type { Outbound } from '../../core/platform'
import { type Processor, ProcessorRefused, ProcessorUnreachable } from '../../core/processor'
import type { Telemetry } from '../../core/telemetry'

const processorMethods = [
  'createCustomer',
  'createSetupIntent',
  'retrieveSetupIntent',
  'detachCard',
  'deleteCustomer',
  'createPaymentIntent',
  'confirmPaymentIntent',
  'retrievePaymentIntent',
  'findPaymentIntent',
  'cancelPaymentIntent',
  'refundPayment',
  'retrieveDispute',
] as const satisfies readonly (keyof Processor)[]

/** Times and traces every request to the card processor. Changes the processor itself, which has members beyond the port. */
export function observeProcessor(processor: Processor, telemetry: Telemetry): Processor {
  const timed = processorMethods.map((method) => {
    const ask = processor[method].bind(processor) as (...given: unknown[]) => Promise<unknown>
    const start = { kind: 'client', name: `processor ${method}`, attributes: {} } as const
    const run = (...given: unknown[]) =>
      telemetry.traced(start, (span) =>
        timing(
          () => ask(...given),
          (seconds, error) => {
            const outcome = outcomeOf(error)
            span.set({ 'countersign.outcome': outcome })
            if (outcome !== 'ok') span.fail()
            telemetry.time('processorRequests', { method, outcome }, seconds)
          },
        ),
      )
    return [method, run] as const
  })
  return Object.assign(processor, Object.fromEntries(timed))
}

function outcomeOf(error: unknown): 'ok' | 'refused' | 'unreachable' | 'error' {
  if (error === null) return 'ok'
  if (error instanceof ProcessorRefused) return 'refused'
  return error instanceof ProcessorUnreachable ? 'unreachable' : 'error'
}

/** Times and traces every request to an address from another party. */
export function observeOutbound(outbound: Outbound, telemetry: Telemetry): Outbound {
  const observed = (method: 'GET' | 'POST', url: string, send: () => ReturnType<Outbound['get']>) => {
    const { hostname } = parseUrl(url) ?? {}
    const host = hostname === undefined ? {} : { 'server.address': hostname }
    const start = { kind: 'client', name: method, attributes: { 'http.request.method': method, ...host } } as const
    return telemetry.traced(start, (span) => {
      let status = 0
      return timing(
        async () => {
          const answer = await send()
          status = answer.status
          return answer
        },
        (seconds, error) => {
          const failure = error instanceof OutboundFailure ? 'failed' : 'error'
          const outcome = error === null ? `${String(status).slice(0, 1)}xx` : failure
          if (error === null) span.set({ 'http.response.status_code': status })
          else span.set({ 'error.type': failure })
          if (error !== null || status >= 400) span.fail()
          telemetry.time('outboundRequests', { outcome }, seconds)
        },
      )
    })
  }
  return {
    get: (url, request) => observed('GET', url, () => outbound.get(url, request)),
    post: (url, request) => observed('POST', url, () => outbound.post(url, request)),
    allows: (url) => outbound.allows(url),
  }
}

/** Runs work and then tells the seconds that it took, and its error or null. */
async function timing<T>(work: () => Promise<T>, note: (seconds: number, error: unknown) => void): Promise<T> {
  const startedAt = performance.now()
  const tell = (error: unknown) => note(secondsSince(startedAt), error)
  try {
    const result = await work()
    tell(null)
    return result
  } catch (error) {
    tell(error)
    throw error
  }
}
