#!/usr/bin/env node
import { runCommand } from './commands/run-command.js'

await runCommand(process.argv.slice(2))
