/** A settle request with its answer. Times on the monotonic clock of this process. */
export interface SettleAnswer {
  readonly clientId: string
  readonly key: string
  /** Names what was asked: requests under one key with the same name are the same request. */
  readonly request: string
  readonly startedAt: number
  readonly endedAt: number
  /** Null when no answer came. */
  readonly status: number | null
  readonly body: string
  readonly error: string | null
  readonly isReplay: boolean
}

export type AnswerClass = 'definitive' | 'pending' | 'ambiguous'

/** `pending`: a definite answer that another one will follow under the same key. */
export function classify({ status, error }: Pick<SettleAnswer, 'status' | 'error'>): AnswerClass {
  if (status === null || status >= 500) return 'ambiguous'
  if (error === 'idempotency_in_flight' || error === 'step_up_required') return 'pending'
  return 'definitive'
}

/** Whether the answer is the settlement's own, which every repeat gets too. */
export function isFinal({ status }: Pick<SettleAnswer, 'status'>): boolean {
  return status === 200 || status === 402
}

/** Something acknowledged, with the time in which it took effect at the latest. */
export interface Acknowledged {
  readonly startedAt: number
  readonly endedAt: number
}

/** A change that was asked for; when it is not known to have happened, it may still happen at any time. */
export interface Change extends Acknowledged {
  readonly isKnown: boolean
}

/** A change of a person's limits to nothing, or back. */
export interface LimitChange extends Change {
  readonly principalId: string
  readonly isFrozen: boolean
}

export interface Revocation extends Acknowledged {
  readonly clientId: string
  /** Settlements that had not been submitted when the answer came. */
  readonly unsubmitted: readonly string[]
}

export interface SwitchChange extends Change {
  readonly isOn: boolean
}

/** An answer to a request to exceed a limit that was acknowledged. */
export interface BumpDecision {
  readonly bumpId: string
  readonly decision: 'approve' | 'decline'
}

/** An answer with tokens; `key` names the request. */
export interface TokenReplyFacts {
  readonly key: string
  readonly body: string
}

export interface History {
  readonly answers: SettleAnswer[]
  readonly limitChanges: LimitChange[]
  readonly revocations: Revocation[]
  readonly switchChanges: SwitchChange[]
  readonly bumpDecisions: BumpDecision[]
  readonly tokenAnswers: TokenReplyFacts[]
}

export function newHistory(): History {
  return { answers: [], limitChanges: [], revocations: [], switchChanges: [], bumpDecisions: [], tokenAnswers: [] }
}
