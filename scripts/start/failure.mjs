/** Why a start failed, in words for the person who started the server and for the log. */
import { inspect } from 'node:util'

/** Where every setting is explained. */
export const SEE_CONFIGURATION = 'See README.md, Configuration.'

/** Returns a line for each problem. What an operator can mend is told without a stack. */
export function problemsOf(error) {
  if (error?.name === 'ConfigError') return [...error.problems, SEE_CONFIGURATION]
  return [error?.name === 'StartFailure' ? error.message : inspect(error)]
}
