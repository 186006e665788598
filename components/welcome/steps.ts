import type { SetupView } from '@/components/lib/api-types'

export type StepId = keyof SetupView['steps']

/** The steps of the set-up, in their order. */
export const steps = ['passkey', 'card', 'limits', 'agent'] as const satisfies readonly StepId[]

/** A step, or `done` for the page after the last one. */
export type Place = StepId | 'done'

/** Returns the place that `?step=` names; null for anything else. */
export function placeOf(step: unknown): Place | null {
  if (step === 'done') return 'done'
  return steps.find((_, index) => String(index + 1) === step) ?? null
}

export const numberOf = (step: StepId): number => steps.indexOf(step) + 1

/** Returns the address of a step, or of the page after the last one. */
export const addressOf = (place: Place): string => `/welcome?step=${place === 'done' ? place : numberOf(place)}`

/** Returns the place after a step. */
export const after = (step: StepId): Place => steps[numberOf(step)] ?? 'done'

/** Returns the step before a step; undefined before the first. */
export const before = (step: StepId): StepId | undefined => steps[numberOf(step) - 2]

/** Returns the first step that is not done, where a person continues who left; `done` when there is none. */
export const firstOpen = (done: SetupView['steps']): Place => steps.find((step) => !done[step]) ?? 'done'

export const countDone = (done: SetupView['steps']): number => steps.filter((step) => done[step]).length
