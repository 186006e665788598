import { Refusal, TransportFailure } from '../errors.js'

/** The steps of a purchase that failures name. */
export type FlowStep = 'PAR' | 'authorize' | 'token' | 'status' | 'verify-mandate' | 'settle'

/** Adds the step's name to failures of its parts, such as reading metadata, keys or a nonce. */
export async function atStep<T>(step: FlowStep, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw inStep(step, error)
  }
}

function inStep(step: FlowStep, error: unknown): unknown {
  if (error instanceof TransportFailure) return new TransportFailure(error.reason, step)
  if (!(error instanceof Refusal) || error.message.startsWith(`${step} failed: `)) return error
  const { status, code, hint: description, retryAfterMs } = error
  return new Refusal(step, { status, code, description, retryAfterMs })
}
