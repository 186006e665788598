'use client'

import { CircleCheck, Scale, Undo2 } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import type { PaymentView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { paymentStatusTexts } from './status-messages'

const looks = {
  succeeded: { icon: CircleCheck, tone: 'success' },
  disputed_pending: { icon: Scale, tone: 'warning' },
  disputed_won: { icon: Scale, tone: 'neutral' },
  disputed_lost: { icon: Undo2, tone: 'neutral' },
} as const

export function PaymentStatus({ status }: { readonly status: PaymentView['status'] }) {
  const text = useText(paymentStatusTexts)
  const { icon, tone } = looks[status]
  return (
    <Badge icon={icon} tone={tone} wraps>
      {text[status]}
    </Badge>
  )
}
