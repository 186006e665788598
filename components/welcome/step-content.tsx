'use client'

import { lazy } from 'react'
import type { LimitsView, WelcomeView } from '@/components/lib/api-types'
import type { CardStepProps } from './card-step'
import type { TrialShop } from './ready'

// Only one of them is shown at a time.
const PasskeyStep = lazy(() => import('./passkey-step').then(({ PasskeyStep: view }) => ({ default: view })))
const CardStep = lazy(() => import('./card-step').then(({ CardStep: view }) => ({ default: view })))
const LimitsStep = lazy(() => import('./limits-step').then(({ LimitsStep: view }) => ({ default: view })))
const AgentStep = lazy(() => import('./agent-step').then(({ AgentStep: view }) => ({ default: view })))
const Ready = lazy(() => import('./ready').then(({ Ready: view }) => ({ default: view })))

/** The step, and the data that it shows. */
export type StepData =
  | { readonly place: 'passkey'; readonly available: boolean }
  | ({ readonly place: 'card' } & CardStepProps)
  | ({ readonly place: 'limits' | 'agent' } & Pick<LimitsView, 'limits'>)
  | { readonly place: 'done'; readonly shop: TrialShop | null }

interface StepContentProps {
  readonly data: StepData
  readonly steps: WelcomeView['steps']
}

export function StepContent({ data, steps }: StepContentProps) {
  switch (data.place) {
    case 'passkey':
      return <PasskeyStep available={data.available} />
    case 'card':
      return <CardStep way={data.way} testCards={data.testCards} />
    case 'limits':
      return <LimitsStep limits={data.limits} />
    case 'agent':
      return <AgentStep limits={data.limits} />
    case 'done':
      return <Ready steps={steps} shop={data.shop} />
  }
}
