'use client'

import { CircleCheck, CircleSlash, CircleX, Clock, TimerOff } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { Badge, type Tone } from '@/components/ui/badge'
import { type consentStatusText, consentStatusTexts } from './status-messages'

export type Status = keyof typeof consentStatusText

export const statusLooks = {
  pending: { icon: Clock, tone: 'accent' },
  approved: { icon: CircleCheck, tone: 'success' },
  declined: { icon: CircleX, tone: 'neutral' },
  withdrawn: { icon: CircleSlash, tone: 'neutral' },
  expired: { icon: TimerOff, tone: 'neutral' },
} as const satisfies Record<Status, { icon: typeof Clock; tone: Tone }>

export function ConsentStatus({ status }: { readonly status: Status }) {
  const text = useText(consentStatusTexts)
  const { icon, tone } = statusLooks[status]
  return (
    <Badge icon={icon} tone={tone}>
      {text[status]}
    </Badge>
  )
}
