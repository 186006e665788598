import { checkEnrolments, checkSlowEnrolments } from '@/server/credentials/federation'
import type { App } from '../support/app'

/** One run of the job that checks who is due and not known to be slow. */
export const checkQuick = (app: App) => checkEnrolments(app.platform, new AbortController().signal)

/** One run of the jobs that check who is due. */
export async function check(app: App): Promise<void> {
  await checkQuick(app)
  await checkSlowEnrolments(app.platform, new AbortController().signal)
}

/** The same half a minute later, when everybody is due again: within the minute that a change may take. */
export async function checkAgain(app: App): Promise<void> {
  app.clock.advance({ seconds: 31 })
  await check(app)
}
