/** The tool server in its modules, which the hook for short limits can reach; the command itself is one file. */
import { runCommand } from '../../tool-server/dist/commands/run-command.js'

await runCommand(process.argv.slice(2))
