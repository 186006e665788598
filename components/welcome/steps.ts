import type { SetupView } from '@/components/lib/api-types'

export type StepId = keyof SetupView['steps']

/** The steps of the first day, in their order. */
export const steps = ['passkey', 'card', 'limits', 'agent'] as const satisfies readonly StepId[]

/** What an address shows: a step, or what follows the last. */
export type Place = StepId | 'done'

/** What `?step=` means; null for anything else. */
export function placeOf(step: unknown): Place | null {
  if (step === 'done') return 'done'
  return steps.find((_, index) => String(index + 1) === step) ?? null
}

export const numberOf = (step: StepId): number => steps.indexOf(step) + 1

/** The address of a step, or of what follows the last. */
export const addressOf = (place: Place): string => `/welcome?step=${place === 'done' ? place : numberOf(place)}`

/** What comes after a step. */
export const after = (step: StepId): Place => steps[numberOf(step)] ?? 'done'

/** What comes before a step; undefined before the first. */
export const before = (step: StepId): StepId | undefined => steps[numberOf(step) - 2]

/** Where somebody goes on who left. */
export const firstOpen = (done: SetupView['steps']): Place => steps.find((step) => !done[step]) ?? 'done'

export const countDone = (done: SetupView['steps']): number => steps.filter((step) => done[step]).length
