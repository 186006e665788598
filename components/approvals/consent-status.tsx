'use client'

import { CircleCheck, CircleSlash, CircleX, Clock, TimerOff } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { Badge, type Tone } from '@/components/ui/badge'
import { type consentText, consentTexts } from './messages'

type Status = keyof typeof consentText.status

const looks = {
  pending: { icon: Clock, tone: 'accent' },
  approved: { icon: CircleCheck, tone: 'success' },
  declined: { icon: CircleX, tone: 'neutral' },
  withdrawn: { icon: CircleSlash, tone: 'neutral' },
  expired: { icon: TimerOff, tone: 'neutral' },
} as const satisfies Record<Status, { icon: typeof Clock; tone: Tone }>

export function ConsentStatus({ status }: { readonly status: Status }) {
  const consentText = useText(consentTexts)
  const { icon, tone } = looks[status]
  return (
    <Badge icon={icon} tone={tone}>
      {consentText.status[status]}
    </Badge>
  )
}
