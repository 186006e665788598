'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { ChannelRow, TestChannel } from './channel-row'
import { notificationsTexts } from './messages'
import { readPhone } from './read-phone'
import { type ChannelsProps, useSaveChannels } from './use-save-channels'

type Saving = ReturnType<typeof useSaveChannels>

/** Switches messages to a phone. Switching them on and changing the number are confirmed. */
export function PhoneRow({ choice, contacts }: ChannelsProps) {
  const text = useText(notificationsTexts).notifications
  const saving = useSaveChannels({ choice, contacts })
  const isOn = choice?.rcs_enabled ?? false
  const saved = choice?.rcs_phone_e164 ?? null
  const { label, hint, to } = text.rcs
  return (
    <ChannelRow
      id="by-phone"
      title={label}
      isOn={isOn}
      detail={isOn && saved !== null ? to(saved) : hint}
      email={contacts.email}
      saving={saving}
    >
      {isOn ? (
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            aria-label={text.turnOffOf(label)}
            busy={saving.save.isPending}
            onClick={() => saving.change({ rcs_enabled: false })}
          >
            {text.turnOff}
          </Button>
          {contacts.phone.in_use === null ? null : <TestChannel channel="rcs" name={label} />}
        </div>
      ) : null}
      <NumberForm key={`${saved}:${isOn}`} saving={saving} saved={saved} isOn={isOn} />
    </ChannelRow>
  )
}

interface NumberFormProps {
  readonly saving: Saving
  readonly saved: string | null
  readonly isOn: boolean
}

function NumberForm({ saving, saved, isOn }: NumberFormProps) {
  const text = useText(notificationsTexts).notifications
  const [typed, setTyped] = useState(saved ?? '')
  const [error, setError] = useState<string>()
  const submit = () => {
    const read = readPhone(typed, text)
    setError(read.error)
    if (read.phone !== undefined) saving.change({ rcs_enabled: true, rcs_phone_e164: read.phone })
  }
  return (
    <Form onSubmit={submit} className="grid gap-4">
      <Field label={text.phone} hint={text.phoneHint} error={error} className="sm:max-w-sm">
        <Input
          type="tel"
          autoComplete="tel"
          required
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
            saving.save.reset()
          }}
          className="tabular-nums"
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="secondary"
          aria-label={isOn ? undefined : text.turnOnOf(text.rcs.label)}
          busy={saving.save.isPending}
        >
          {isOn ? text.useNumber : text.turnOn}
        </Button>
        {saved !== null && !isOn ? (
          <Button variant="secondary" onClick={() => saving.change({ rcs_phone_e164: null })}>
            {text.removeNumber}
          </Button>
        ) : null}
      </div>
    </Form>
  )
}
