'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { MessageSettingsView } from '@/components/lib/api-types'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Choice } from '@/components/ui/choice'
import { Field, Input } from '@/components/ui/field'
import { CLOCK_TIME, type RelaxedHours, relaxedHours } from '@/server/identity/contacts/input'
import { hoursTexts } from './hours-messages'
import { SettingRow, Switch } from './setting-row'
import { useSaveSettings } from './use-save-settings'

/** The proposed quiet hours. */
const NIGHT = { from: '22:00', until: '07:00', requests: true } as const

type Hours = NonNullable<MessageSettingsView['quiet_hours']>

/** Lets the person choose the quiet hours; those that keep more from them than before are confirmed. */
export function QuietHours({ hours: saved }: { readonly hours: Hours | null }) {
  const text = useText(hoursTexts).quiet
  const save = useSaveSettings()
  const { asked, ask, dialog } = useRelaxing<{ quiet_hours: Hours | null }, RelaxedHours>(save)
  const [typed, setTyped] = useState<Partial<Hours>>({})
  const onOpenChange = (open: boolean) => {
    dialog.onOpenChange(open)
    // What was not confirmed is not sent with a later change.
    if (!open) setTyped({})
  }
  const hours = save.isPending ? (save.variables.quiet_hours ?? null) : saved
  const change = (wanted: Hours | null) => {
    const subject = relaxedHours(hours, wanted)
    if (subject === null) save.mutate({ quiet_hours: wanted })
    else ask({ change: { quiet_hours: wanted }, subject })
  }
  const inWords = (some: Hours | null) =>
    some === null ? text.relax.none : text.relax[some.requests ? 'through' : 'held'](some.from, some.until)
  return (
    <SettingRow id="quiet-hours" title={text.title} hint={text.hint} save={save} asking={dialog.open}>
      <Switch
        name={text.title}
        isOn={hours !== null}
        busy={save.isPending}
        onPress={() => change(hours === null ? NIGHT : null)}
      />
      {hours === null ? null : (
        <HoursFields hours={hours} typed={typed} onType={setTyped} busy={save.isPending} onChange={change} />
      )}
      <RelaxDialog
        dialog={{ ...dialog, onOpenChange }}
        title={text.relax.title}
        from={inWords(asked?.subject.quiet_hours.from ?? null)}
        to={inWords(asked?.change.quiet_hours ?? null)}
      >
        <p>{text.relax.body}</p>
      </RelaxDialog>
    </SettingRow>
  )
}

interface HoursFieldsProps {
  readonly hours: Hours
  /** What was typed and is not saved. */
  readonly typed: Partial<Hours>
  readonly onType: (typed: Partial<Hours>) => void
  readonly busy: boolean
  readonly onChange: (hours: Hours) => void
}

/**
 * The fields for the hours. A time is saved when its field is left, so that an incomplete one is never saved. A typed time
 * is kept, and sent with every change, until the server has it.
 */
function HoursFields({ hours, typed, onType, busy, onChange }: HoursFieldsProps) {
  const text = useText(hoursTexts).quiet
  const { from, until, requests } = { ...hours, ...typed }
  const isSame = from === until
  const isFit = CLOCK_TIME.test(from) && CLOCK_TIME.test(until) && !isSame
  const isSaved = from === hours.from && until === hours.until
  if (isSaved && !busy && Object.keys(typed).length > 0) onType({})
  const leave = () => {
    if (isFit && !isSaved) onChange({ from, until, requests })
  }
  const field = (name: 'from' | 'until', value: string) => (
    <Field label={text[name]} error={name === 'until' && isSame ? text.same : undefined} className="w-36">
      <Input
        type="time"
        required
        value={value}
        onChange={(event) => onType({ ...typed, [name]: event.target.value })}
        onBlur={leave}
        className="tabular-nums"
      />
    </Field>
  )
  return (
    <>
      <div className="flex flex-wrap gap-4">
        {field('from', from)}
        {field('until', until)}
      </div>
      <Choice
        id="quiet-requests"
        kind="checkbox"
        label={text.requests}
        hint={text.requestsHint}
        checked={requests}
        onChange={(event) => onChange({ ...(isFit ? { from, until } : hours), requests: event.target.checked })}
      />
    </>
  )
}
