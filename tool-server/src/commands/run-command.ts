import { UsageError } from '../errors.js'
import { PACKAGE_INFO } from '../package-info.js'
import { readSettings } from '../settings.js'
import { type Command, parseCommandLine, USAGE } from './command-line.js'
import { register } from './register.js'
import { serve } from './serve.js'

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

/** Runs the command that the arguments name, and sets the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await run(parseCommandLine(args))
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  const isUsage = error instanceof UsageError
  const reason = error instanceof Error ? error.message : 'unknown failure'
  process.stderr.write(isUsage ? `${reason}\n\n${USAGE}` : `countersign-tools failed: ${reason}\n`)
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILURE
}
