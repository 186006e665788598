import type { Platform, Transaction } from '../../../base/core/platform'
import { lastTimeIn, nextTimeIn } from '../../../base/core/zoned-time'
import {
  claimSummary,
  type DueSummary,
  findChannels,
  listDueSummaries,
  queueMessage,
  type Words,
  wordsIn,
} from '../../../shared/notifications'
import { findPrincipal } from '../../../shared/principals'
import { nudgeJobs } from '../../../shared/queue'
import { type Day, readDay } from './day-store'

const AT_ONCE = 100
const HOUR_MINUTES = 60

/** Mails the daily summaries that are due, each once, however many processes run at the same time. */
export async function mailDailySummaries(platform: Platform, signal: AbortSignal): Promise<void> {
  const now = platform.clock.now()
  const due = await listDueSummaries(platform.db, now, AT_ONCE)
  for (const summary of due) {
    if (signal.aborted) return
    await platform.db.transaction((tx) => mailOne(tx, { platform, now }, summary))
  }
  if (due.length > 0) nudgeJobs(platform)
}

interface SummaryCall {
  readonly platform: Platform
  readonly now: Date
}

/** Mails one summary of the time since the earlier one, even when the person's time zone has changed. */
async function mailOne(tx: Transaction, call: SummaryCall, due: DueSummary): Promise<void> {
  const { time_zone: timeZone, summarised_until: from } = due
  const minute = due.summary_hour * HOUR_MINUTES
  const last = lastTimeIn(timeZone, minute, call.now)
  const until = last > from ? last : from
  if (!(await claimSummary(tx, { due, nextAt: nextTimeIn(timeZone, minute, call.now), until }))) return
  if (until > from) await write(tx, call, { principalId: due.principal_id, timeZone, from, until })
}

interface Summary {
  readonly principalId: string
  readonly timeZone: string
  readonly from: Date
  readonly until: Date
}

/** Writes the mail, unless nothing happened or the person wants no mail. */
async function write(tx: Transaction, call: SummaryCall, summary: Summary): Promise<void> {
  const { principalId, until } = summary
  const { email: wantsMail, settings } = await findChannels(tx, principalId, null)
  const days = wantsMail ? await readDay(tx, summary) : []
  if (days.length === 0) return
  const person = await findPrincipal(tx, principalId)
  const { baseUrl } = call.platform.config
  const links = [`${baseUrl}/payments`, `${baseUrl}/approvals`, `${baseUrl}/settings/notifications`] as const
  queueMessage(tx, call, {
    eventKey: `summary:${principalId}:${until.toISOString()}`,
    principalId,
    channel: 'email',
    recipient: person?.email ?? null,
    ...composeText(wordsIn(settings.language ?? 'en'), { summary, days, links }),
    links,
  })
}

interface SummaryContent {
  readonly summary: Summary
  readonly days: readonly Day[]
  readonly links: readonly [payments: string, approvals: string, settings: string]
}

function composeText(words: Words, { summary, days, links: [payments, approvals, settings] }: SummaryContent) {
  const { timeZone, from, until } = summary
  const { summary: text, date, moment } = words
  return {
    subject: text.subject(date(until, timeZone)),
    text: [
      text.since(moment(from, timeZone), moment(until, timeZone)),
      days.flatMap((day) => linesOf(words, day)).join('\n'),
      [text.payments(payments), text.approvals(approvals), text.change(settings)].join('\n'),
    ].join('\n\n'),
  }
}

function linesOf({ summary: text, money }: Words, day: Day): string[] {
  const line = (count: number, minor: number, kind: 'paid' | 'asked' | 'declined') =>
    count === 0 ? [] : [text[kind](count, money(minor, day.currency))]
  return [
    ...line(day.paid, day.paid_minor, 'paid'),
    ...line(day.asked, day.asked_minor, 'asked'),
    ...line(day.declined, day.declined_minor, 'declined'),
  ]
}
