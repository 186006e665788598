import * as z from 'zod'
import { invariant } from '../core/invariant'
import type { SwitchName } from '../core/platform'

/**
 * What a procedure promises that only the portal has, beside the operations that it shares with the HTTP API. Its answer
 * is the type that its verb returns.
 */
export interface PortalProcedureShape<S extends z.ZodType = z.ZodType> {
  readonly input: S
  readonly switch?: SwitchName
  /** What the person confirms, by its step-up purpose, in all cases or in those that the verb names. */
  readonly stepUp?: string
  /** Changes what proves who the person is: once it is done, the session goes on with another cookie. */
  readonly rotating?: boolean
}

/** What the verb receives. */
export type ProcedureInput<P extends PortalProcedureShape> = z.output<P['input']>

/** A procedure takes a `proof` exactly when its contract says what is confirmed. */
export function definePortalProcedure<const P extends PortalProcedureShape>(procedure: P): P {
  const { input, stepUp } = procedure
  const takesProof = input instanceof z.ZodObject && 'proof' in input.shape
  invariant(takesProof === (stepUp !== undefined), 'a proof and what it proves belong together')
  return procedure
}

/** The contract of procedures that take nothing and promise nothing more. */
export const noInput = definePortalProcedure({ input: z.void() })
