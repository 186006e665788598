/**
 * `npm run build`: builds whatever has changed since the last build; `npm start` then has nothing to build. `--force`
 * builds everything.
 */
import { allSteps, build, outdatedSteps } from './start/build.mjs'
import { done } from './start/screen.mjs'

const steps = process.argv.includes('--force') ? allSteps() : outdatedSteps()
await build(steps)
if (steps.length === 0) done('everything is built')
