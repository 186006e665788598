import { type Processor, ProcessorUnreachable } from '@/server/core/processor'

/** Stands in where no processor is configured: everything but enrolling and charging cards works. */
export function createAbsentProcessor(): Processor {
  const refuse = (): never => {
    throw new ProcessorUnreachable('No card processor is configured.')
  }
  return {
    kind: 'stripe',
    publishableKey: null,
    createCustomer: async () => refuse(),
    createSetupIntent: async () => refuse(),
    retrieveSetupIntent: async () => refuse(),
    createPaymentIntent: async () => refuse(),
    confirmPaymentIntent: async () => refuse(),
    retrievePaymentIntent: async () => refuse(),
    findPaymentIntent: async () => refuse(),
  }
}
