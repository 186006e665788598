import * as z from 'zod'
import { invariant } from '../core/invariant'
import type { SwitchName } from '../core/platform'

/**
 * The contract of a procedure that only the portal has, in addition to the operations that it shares with the HTTP API.
 * The type of its answer is what its verb returns.
 */
export interface PortalProcedureShape<S extends z.ZodType = z.ZodType> {
  readonly input: S
  readonly switch?: SwitchName
  /** The purpose of the step-up that the procedure needs, in all cases or in those that the verb decides. */
  readonly stepUp?: string
  /** The procedure changes how the person signs in, so the session gets a new cookie afterwards. */
  readonly rotating?: boolean
}

/** The input of the procedure's verb. */
export type ProcedureInput<P extends PortalProcedureShape> = z.output<P['input']>

/** Returns the contract; throws unless its input has a `proof` exactly when it names a step-up. */
export function definePortalProcedure<const P extends PortalProcedureShape>(procedure: P): P {
  const { input, stepUp } = procedure
  const takesProof = input instanceof z.ZodObject && 'proof' in input.shape
  invariant(takesProof === (stepUp !== undefined), 'a proof and what it proves belong together')
  return procedure
}

/** The contract of procedures without input, switch or step-up. */
export const noInput = definePortalProcedure({ input: z.void() })
