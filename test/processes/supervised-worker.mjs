/** A worker that does what PLAN says of its start, which are counted as folders below FOLDER. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { reportReady } from '../../scripts/start/supervise.mjs'

const { FOLDER = '', PLAN = '[]' } = process.env

function countStart() {
  for (let start = 1; ; start += 1) {
    try {
      mkdirSync(path.join(FOLDER, String(start)))
      return start
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
  }
}

const start = countStart()
writeFileSync(path.join(FOLDER, String(start), 'pid'), String(process.pid))
const plan = JSON.parse(PLAN)[start - 1] ?? 'answer'
if (plan === 'fail') process.exit(1)
if (plan === 'wait') while (!existsSync(path.join(FOLDER, 'go'))) await delay(20)
// Another worker's numbers may be asked for before this one answers.
if (plan === 'ask') process.send({ gather: true })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
reportReady({ start })
