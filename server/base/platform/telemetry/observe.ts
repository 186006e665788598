import { OutboundFailure } from '../../core/outbound-failure'
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

/** Times every request to the card processor. Changes the processor itself, which has members beyond the port. */
export function observeProcessor(processor: Processor, telemetry: Telemetry): Processor {
  const timed = processorMethods.map((method) => {
    const ask = processor[method].bind(processor) as (...given: unknown[]) => Promise<unknown>
    const run = (...given: unknown[]) =>
      timing(
        () => ask(...given),
        (seconds, error) => {
          telemetry.time('processorRequests', { method, outcome: outcomeOf(error) }, seconds)
        },
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

/** Times every request to an address from another party. */
export function observeOutbound(outbound: Outbound, telemetry: Telemetry): Outbound {
  const timed = (send: () => ReturnType<Outbound['get']>) => {
    let status = ''
    return timing(
      async () => {
        const answer = await send()
        status = `${String(answer.status).slice(0, 1)}xx`
        return answer
      },
      (seconds, error) => {
        const outcome = error === null ? status : error instanceof OutboundFailure ? 'failed' : 'error'
        telemetry.time('outboundRequests', { outcome }, seconds)
      },
    )
  }
  return {
    get: (url, request) => timed(() => outbound.get(url, request)),
    post: (url, request) => timed(() => outbound.post(url, request)),
    allows: (url) => outbound.allows(url),
  }
}

/** Runs work and then tells the seconds that it took, and its error or null. */
async function timing<T>(work: () => Promise<T>, note: (seconds: number, error: unknown) => void): Promise<T> {
  const startedAt = performance.now()
  const tell = (error: unknown) => note((performance.now() - startedAt) / 1_000, error)
  try {
    const result = await work()
    tell(null)
    return result
  } catch (error) {
    tell(error)
    throw error
  }
}
