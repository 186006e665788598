'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { hoursTexts } from './hours-messages'
import { SettingRow, Switch } from './setting-row'
import { useSaveSettings } from './use-save-settings'

const EVENING_HOUR = 18
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Lets the person choose a daily summary by mail, and its hour. */
export function DailySummary({ hour: saved }: { readonly hour: number | null }) {
  const text = useText(hoursTexts).summary
  const save = useSaveSettings()
  const change = (wanted: number | null) => save.mutate({ summary_hour: wanted })
  const hour = save.isPending ? (save.variables.summary_hour ?? null) : saved
  return (
    <SettingRow id="daily-summary" title={text.title} hint={text.hint} save={save}>
      <Switch
        name={text.title}
        isOn={hour !== null}
        busy={save.isPending}
        onPress={() => change(hour === null ? EVENING_HOUR : null)}
      />
      {hour === null ? null : (
        <Field label={text.hour} hint={text.needsMail} className="w-full sm:max-w-xs">
          <Select value={hour} onChange={(event) => change(Number(event.target.value))}>
            {HOURS.map((one) => (
              <option key={one} value={one}>
                {`${String(one).padStart(2, '0')}:00`}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </SettingRow>
  )
}
