'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { PaymentDetailView } from '@/components/lib/api-types'
import { Moment } from '@/components/ui/moment'
import { paymentTexts } from './payment-messages'

interface TimelineProps {
  readonly steps: PaymentDetailView['timeline']
  readonly rule: PaymentDetailView['rule']
}

export function Timeline({ steps, rule }: TimelineProps) {
  const text = useText(paymentTexts)
  return (
    <ol className="grid">
      {steps.map(({ at, what }) => (
        <li key={`${what} ${at}`} className="group relative grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 pb-5 last:pb-0">
          <span aria-hidden className="absolute inset-y-0 start-[0.4375rem] top-2.5 w-0.5 bg-line group-last:hidden" />
          <span
            aria-hidden
            className="relative mt-1.5 size-3 justify-self-center rounded-full border-2 border-accent bg-surface"
          />
          <p className="grid gap-x-4 sm:flex sm:justify-between">
            <span>
              {text.steps[what]}
              {what === 'approved' ? howApproved(rule, text) : ''}
            </span>
            <span className="text-sm text-muted">
              <Moment at={at} />
            </span>
          </p>
        </li>
      ))}
    </ol>
  )
}

function howApproved(rule: TimelineProps['rule'], text: TextOf<typeof paymentTexts>): string {
  const { decided_via: via, method } = rule
  if (method !== null) return ` ${text.method[method]}`
  return via === 'portal' || via === 'token' || via === 'magic_link' ? ` ${text.via[via]}` : ''
}
