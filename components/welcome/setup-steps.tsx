'use client'

import { ChevronRight, Circle, CircleCheck } from 'lucide-react'
import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import type { SetupView } from '@/components/lib/api-types'
import { RowList } from '@/components/ui/card'
import { setupTexts } from './setup-messages'
import { addressOf, type StepId, steps } from './steps'

/** Lists the steps of the set-up as links, each with whether it is done. */
export function SetupSteps({ done }: { readonly done: SetupView['steps'] }) {
  const { title } = useText(setupTexts)
  return (
    <RowList aria-label={title}>
      {steps.map((step) => (
        <li key={step}>
          <Step id={step} done={done[step]} />
        </li>
      ))}
    </RowList>
  )
}

interface StepProps {
  readonly id: StepId
  readonly done: boolean
}

function Step({ id, done }: StepProps) {
  const text = useText(setupTexts)
  const { title, body } = text.steps[id]
  const Icon = done ? CircleCheck : Circle
  return (
    <Link href={addressOf(id)} className="flex items-center gap-4 px-5 py-4 hover:bg-sunken">
      <Icon aria-hidden className={done ? 'size-6 shrink-0 text-success' : 'size-6 shrink-0 text-muted'} />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="font-medium">
          {title}
          <span className="sr-only"> ({done ? text.done : text.toDo})</span>
        </span>
        <span className="text-sm text-muted">{body}</span>
      </span>
      {done ? (
        <span aria-hidden className="text-sm font-medium text-success">
          {text.done}
        </span>
      ) : (
        <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
      )}
    </Link>
  )
}
