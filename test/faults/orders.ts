import type { FailpointName } from '@/server/base/core/failpoints'

/** What a server process does when it passes a marked instant. */
export interface Trap {
  readonly name: FailpointName
  readonly action: 'kill' | 'throw' | 'sleep'
  /** Springs at this passing, counted from the order; once. */
  readonly atPassing: number
  /** How long `sleep` lasts. */
  readonly milliseconds?: number
}

/** What the harness tells a server process. */
export type Order =
  | { readonly kind: 'trap'; readonly trap: Trap }
  | { readonly kind: 'disarm' }
  | { readonly kind: 'clock'; readonly offsetMilliseconds: number }

/** What a server process tells the harness. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sprung'; readonly trap: Trap }
  | { readonly kind: 'failed'; readonly message: string }
