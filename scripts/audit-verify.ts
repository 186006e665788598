/**
 * `npm run audit:verify -- <file.json> …`: checks an exported audit chain without the service. Each file holds one
 * answer of GET /audit/{tenant_id}/range; a longer chain is given as several files in order.
 */
import { verifyCommand } from './audit-verify/command'
import { readEnvironment, reportOutcome } from './operator-client'

reportOutcome(await verifyCommand(process.argv.slice(2), readEnvironment()))
