import { checkEnrolments } from '@/server/credentials/federation'
import type { App } from '../support/app'

/** One run of the job that checks who is due. */
export const check = (app: App) => checkEnrolments(app.platform, new AbortController().signal)

/** The same half a minute later, when everybody is due again: within the minute that a change may take. */
export async function checkAgain(app: App): Promise<void> {
  app.clock.advance({ seconds: 31 })
  await check(app)
}
