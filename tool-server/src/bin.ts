#!/usr/bin/env node
import { type Command, parseCommandLine, USAGE, UsageError } from './commands/command-line.js'
import { register } from './commands/register.js'
import { serve } from './commands/serve.js'
import { PACKAGE_INFO } from './package-info.js'
import { readSettings } from './settings.js'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

async function run(command: Command): Promise<void> {
  switch (command.name) {
    case 'help':
      process.stdout.write(USAGE)
      return
    case 'version':
      process.stdout.write(`${PACKAGE_INFO.version}\n`)
      return
    case 'register':
      process.exitCode = await register(readSettings(), command.options)
      return
    case 'serve':
      return serve(readSettings())
  }
}

try {
  await run(parseCommandLine(process.argv.slice(2)))
} catch (error) {
  const isUsage = error instanceof UsageError
  const reason = error instanceof Error ? error.message : 'unknown failure'
  process.stderr.write(isUsage ? `${reason}\n\n${USAGE}` : `countersign-tools failed: ${reason}\n`)
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILURE
}
