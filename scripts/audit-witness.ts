/**
 * `npm run audit:witness -- --tenant <id> --state <folder>`: reads a tenant's audit chain from outside, and signs its
 * checkpoint when it continues all that was seen before.
 */
import { witnessCommand } from './audit-witness/command'
import { readEnvironment, reportOutcome } from './operator-client'

reportOutcome(await witnessCommand(process.argv.slice(2), readEnvironment()))
