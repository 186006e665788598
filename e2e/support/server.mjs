/** The built server for the browser flows; its data directory is removed when it exits. */
import { rmSync } from 'node:fs'

process.on('exit', () => rmSync(process.env.DATA_DIR, { recursive: true, force: true }))
await import('../../server.mjs')
