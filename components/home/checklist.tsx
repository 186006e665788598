'use client'

import { ChevronRight, Circle, CircleCheck } from 'lucide-react'
import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import type { HomeView } from '@/components/lib/api-types'
import { RowList, Section } from '@/components/ui/card'
import { homeTexts } from './messages'

interface ChecklistProps {
  readonly done: HomeView['checklist']
  readonly sandbox: boolean
}

/** What is left to do until an agent can buy something. */
export function Checklist({ done, sandbox }: ChecklistProps) {
  const text = useText(homeTexts).checklist
  const steps = [
    { id: 'card', ...text.card, done: done.card },
    { id: 'limits', ...text.limits, done: done.limits },
    { id: 'agent', ...text.agent, done: done.agent },
    { id: 'purchase', ...(sandbox ? text.purchase : text.purchaseLive), done: done.purchase },
  ]
  return (
    <Section id="checklist" title={text.title} description={text.body}>
      <RowList>
        {steps.map((step) => (
          <li key={step.id}>
            <Step {...step} />
          </li>
        ))}
      </RowList>
    </Section>
  )
}

interface StepProps {
  readonly title: string
  readonly body: string
  readonly href: string
  readonly done: boolean
}

function Step({ title, body, href, done }: StepProps) {
  const text = useText(homeTexts).checklist
  const Icon = done ? CircleCheck : Circle
  return (
    <Link href={href} className="flex items-center gap-4 px-5 py-4 hover:bg-sunken">
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
