/** Supervises as many workers as it is told. */
import { fileURLToPath } from 'node:url'
import { supervise } from '../../scripts/start/supervise.mjs'

await supervise(fileURLToPath(new URL('supervised-worker.mjs', import.meta.url)), Number(process.argv[2]))
process.stdout.write('started\n')
