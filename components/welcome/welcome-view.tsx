'use client'

import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { WelcomeView } from '@/components/lib/api-types'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { welcomeTexts } from './messages'
import { StepActions } from './step-actions'
import { StepContent, type StepData } from './step-content'
import { addressOf, before, numberOf, type StepId } from './steps'

interface WelcomePageProps {
  readonly initial: WelcomeView
  readonly data: StepData
}

/** Shows one step of the set-up, or the page after the last one. */
export function WelcomePage({ initial, data }: WelcomePageProps) {
  const trpc = useTRPC()
  const { data: view } = useQuery({ ...trpc.welcome.read.queryOptions(), initialData: initial })
  const { steps } = view
  const { place } = data
  return (
    <>
      {place === 'done' ? null : <StepHeader step={place} />}
      <div key={place} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Suspense fallback={null}>
          {isOver(place, steps) ? <Done step={place} /> : <StepContent data={data} steps={steps} />}
          {place === 'done' || place === 'limits' ? null : <StepActions step={place} done={steps[place]} />}
        </Suspense>
      </div>
    </>
  )
}

type DoneStep = Exclude<StepId, 'limits'>

/** Returns whether a step is done and cannot be opened again; limits can. */
function isOver(place: StepData['place'], steps: WelcomeView['steps']): place is DoneStep {
  return place !== 'done' && place !== 'limits' && steps[place]
}

function Done({ step }: { readonly step: DoneStep }) {
  const text = useText(welcomeTexts).done
  return (
    <Notice tone="success" role="status">
      {text[step]}
    </Notice>
  )
}

function StepHeader({ step }: { readonly step: StepId }) {
  const text = useText(welcomeTexts)
  const previous = before(step)
  const back = previous === undefined ? {} : { back: { href: addressOf(previous), label: text.back } }
  return <PageHeader title={text.step(numberOf(step), text.names[step])} description={text.leads[step]} {...back} />
}
