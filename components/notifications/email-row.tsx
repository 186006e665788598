'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { ChannelRow, TestChannel } from './channel-row'
import { notificationsTexts } from './messages'
import { type ChannelsProps, useSaveChannels } from './use-save-channels'

/** Switches messages by mail; switching them off is confirmed. */
export function EmailRow({ choice, contacts }: ChannelsProps) {
  const text = useText(notificationsTexts).notifications
  const saving = useSaveChannels({ choice, contacts })
  const { email } = contacts
  const { label, hint, noAddress } = text.email
  const isOn = choice?.email_enabled ?? true
  return (
    <ChannelRow
      id="by-email"
      title={label}
      isOn={isOn}
      detail={email === null ? noAddress : hint(email)}
      email={email}
      saving={saving}
    >
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          aria-label={isOn ? text.turnOffOf(label) : text.turnOnOf(label)}
          busy={saving.save.isPending}
          onClick={() => saving.change({ email_enabled: !isOn })}
        >
          {isOn ? text.turnOff : text.turnOn}
        </Button>
        {isOn && email !== null ? <TestChannel channel="email" name={label} /> : null}
      </div>
    </ChannelRow>
  )
}
