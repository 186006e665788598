'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '@/components/api/client'
import { languageNames, locales } from '@/components/i18n/locale'
import { useText } from '@/components/i18n/locale-provider'
import type { MessageSettingsView } from '@/components/lib/api-types'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { DailySummary } from './daily-summary'
import { hoursTexts } from './hours-messages'
import { QuietHours } from './quiet-hours'
import { SettingRow } from './setting-row'
import { useSaveSettings } from './use-save-settings'

/** Lets the person choose when messages come, and in which language. */
export function MessageSettings({ initial }: { readonly initial: MessageSettingsView }) {
  const text = useText(hoursTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.notifications.settings.queryOptions(), initialData: initial })
  return (
    <>
      <QuietHours hours={data.quiet_hours} />
      <DailySummary hour={data.summary_hour} />
      <p className="text-muted">
        {text.zone(data.time_zone.replaceAll('_', ' '))}{' '}
        <Link href="/limits" className="inline-flex min-h-11 items-center font-medium text-accent underline">
          {text.changeZone}
        </Link>
      </p>
      <MessageLanguage language={data.language} />
    </>
  )
}

function MessageLanguage({ language }: Pick<MessageSettingsView, 'language'>) {
  const text = useText(hoursTexts).language
  const save = useSaveSettings()
  const change = (wanted: string) => {
    const known = locales.find((locale) => locale === wanted)
    if (known !== undefined) save.mutate({ language: known })
  }
  return (
    <SettingRow id="message-language" title={text.title} hint={text.hint} save={save}>
      <Field label={text.title} className="w-full sm:max-w-xs">
        <Select
          value={save.isPending ? save.variables.language : language}
          onChange={(event) => change(event.target.value)}
        >
          {locales.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {languageNames[locale]}
            </option>
          ))}
        </Select>
      </Field>
    </SettingRow>
  )
}
