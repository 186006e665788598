/**
 * `npm run audit:witness -- --tenant <id> --state <folder>`: looks at a tenant's audit chain from outside, and signs what it
 * saw when it continues all that it saw before.
 */
import { witnessCommand } from './audit-witness/command'
import { readEnvironment, reportOutcome } from './operator-client'

reportOutcome(await witnessCommand(process.argv.slice(2), readEnvironment()))
