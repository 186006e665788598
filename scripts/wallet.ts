/**
 * `npm run wallet`: a wallet at the terminal, to try issuance and presentation without a phone. Only for sandboxes,
 * since it trusts the test certificate of any server.
 */
import { readEnvironment, reportOutcome } from './operator-client'
import { walletCommand } from './wallet/command'

reportOutcome(await walletCommand(process.argv.slice(2), readEnvironment()))
