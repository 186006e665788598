#!/usr/bin/env node
import { run } from './command-line.ts'

const { code, out, err } = await run(process.argv.slice(2))
process.stdout.write(out)
process.stderr.write(err)
process.exitCode = code
