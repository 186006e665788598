import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import type { MessageLanguage } from './contract'
import type { QuietHours } from './quiet-hours'

/** The time zone of a person without limits, who has chosen none. */
const NO_ZONE = 'UTC'

type Columns = Row<
  'MessageSettings',
  'quiet_from_minute' | 'quiet_until_minute' | 'quiet_requests' | 'language' | 'summary_hour',
  { language: MessageLanguage | null }
>

/** The columns of a person's settings; null where they have none. */
export type SettingsRow = { readonly [Name in keyof Columns]: Columns[Name] | null } & {
  readonly time_zone: string | null
}

/** A person's choices for the language and time of messages. */
export interface MessageSettings {
  /** The chosen language; null when none was chosen. */
  readonly language: MessageLanguage | null
  /** The quiet hours; null for none. */
  readonly quiet: QuietHours | null
  /** The hour of the daily summary; null without one. */
  readonly summaryHour: number | null
  /** The person's time zone. */
  readonly timeZone: string
}

/** SQL columns for `settingsOf`, of the settings `s` and the zone `z` that `settingsJoinSql` joins. */
export const settingsColumnsSql: Sql = sql`s.language, s.quiet_from_minute, s.quiet_until_minute, s.quiet_requests,
  s.summary_hour, z.time_zone`

/** SQL that joins the settings to a table with the column `principal_id`. */
export const settingsJoinSql: Sql = sql`LEFT JOIN message_settings s USING (principal_id)
  LEFT JOIN time_zones z USING (principal_id)`

export function settingsOf(row: SettingsRow): MessageSettings {
  return {
    language: row.language,
    quiet: quietOf(row),
    summaryHour: row.summary_hour,
    timeZone: row.time_zone ?? NO_ZONE,
  }
}

function quietOf({ quiet_from_minute: fromMinute, quiet_until_minute: untilMinute, quiet_requests }: SettingsRow) {
  if (fromMinute === null || untilMinute === null) return null
  return { fromMinute, untilMinute, requestsComeThrough: quiet_requests ?? true }
}

/** Returns the person's message settings; the defaults when none were saved. */
export async function findMessageSettings(db: Queryable, principalId: string): Promise<MessageSettings> {
  const [row] = await db.query<SettingsRow>(
    sql`SELECT ${settingsColumnsSql} FROM (SELECT ${principalId}::text AS principal_id) q ${settingsJoinSql}`,
  )
  return settingsOf(row ?? noSettings)
}

const noSettings: SettingsRow = {
  language: null,
  quiet_from_minute: null,
  quiet_until_minute: null,
  quiet_requests: null,
  summary_hour: null,
  time_zone: null,
}

/** The settings to change; absent members stay as they are. */
export interface SettingsChange {
  readonly language?: MessageLanguage
  readonly quiet?: QuietHours | null
  /**
   * The hour of the daily summary, when the first one is due, and the start of the period that it covers; null turns it
   * off.
   */
  readonly summary?: { readonly hour: number; readonly dueAt: Date; readonly since: Date } | null
}

export async function saveMessageSettings(
  tx: Queryable,
  principalId: string,
  { change, now }: { readonly change: SettingsChange; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO message_settings (principal_id, updated_at) VALUES (${principalId}, ${now})
     ON CONFLICT (principal_id) DO NOTHING`,
  )
  const columns = columnsOf(change).reduce((all, some) => sql`${all}, ${some}`, sql`updated_at = ${now}`)
  await tx.query(sql`UPDATE message_settings SET ${columns} WHERE principal_id = ${principalId}`)
}

function columnsOf({ language, quiet, summary }: SettingsChange): Sql[] {
  return [
    ...(language === undefined ? [] : [sql`language = ${language}`]),
    ...(quiet === undefined ? [] : [quietSql(quiet)]),
    ...(summary === undefined
      ? []
      : [
          sql`summary_hour = ${summary?.hour ?? null}::int, summary_due_at = ${summary?.dueAt ?? null}::timestamptz,
              summarised_until = ${summary?.since ?? null}::timestamptz`,
        ]),
  ]
}

const quietSql = (quiet: QuietHours | null): Sql =>
  quiet === null
    ? sql`quiet_from_minute = NULL, quiet_until_minute = NULL`
    : sql`quiet_from_minute = ${quiet.fromMinute}, quiet_until_minute = ${quiet.untilMinute}, quiet_requests = ${quiet.requestsComeThrough}`
