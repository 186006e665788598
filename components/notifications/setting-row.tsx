'use client'

import type { ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import { hoursTexts } from './hours-messages'
import type { useSaveSettings } from './use-save-settings'

interface SettingRowProps {
  readonly id: string
  readonly title: string
  readonly hint: string
  readonly save: ReturnType<typeof useSaveSettings>
  /** Whether a dialog asks for a confirmation, which then also shows what failed. */
  readonly asking?: boolean
  readonly children: ReactNode
}

/** Shows one setting and the state of saving it. */
export function SettingRow({ id, title, hint, save, asking = false, children }: SettingRowProps) {
  const text = useText(hoursTexts)
  return (
    <Section id={id} title={title} description={hint}>
      <Card className="grid gap-4">
        {children}
        {save.isError && !asking ? <RequestFailure error={save.error} /> : null}
        <p role="status" className="font-medium text-success empty:hidden">
          {save.isSuccess ? text.saved : null}
        </p>
      </Card>
    </Section>
  )
}

interface SwitchProps {
  readonly name: string
  readonly isOn: boolean
  readonly busy: boolean
  readonly onPress: () => void
}

/** Shows whether a setting is on, with the button that changes it. */
export function Switch({ name, isOn, busy, onPress }: SwitchProps) {
  const text = useText(hoursTexts)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="font-medium">{isOn ? text.on : text.off}</p>
      <Button
        variant="secondary"
        aria-label={isOn ? text.turnOffOf(name) : text.turnOnOf(name)}
        busy={busy}
        onClick={onPress}
      >
        {isOn ? text.turnOff : text.turnOn}
      </Button>
    </div>
  )
}
