import { type Processor, ProcessorUnreachable } from '../../core/processor'

/** Creates the processor for when none is configured: everything but enrolling and charging cards works. */
export function createAbsentProcessor(): Processor {
  const refuse = (): Promise<never> => Promise.reject(new ProcessorUnreachable('No card processor is configured.'))
  return {
    kind: 'stripe',
    publishableKey: null,
    createCustomer: refuse,
    createSetupIntent: refuse,
    retrieveSetupIntent: refuse,
    detachCard: refuse,
    deleteCustomer: refuse,
    createPaymentIntent: refuse,
    confirmPaymentIntent: refuse,
    retrievePaymentIntent: refuse,
    findPaymentIntent: refuse,
    cancelPaymentIntent: refuse,
    refundPayment: refuse,
    retrieveDispute: refuse,
  }
}
