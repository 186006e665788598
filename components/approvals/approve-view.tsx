'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ComponentProps, lazy, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { noteUse, useTRPC } from '@/components/api/client'
import { useIsPast } from '@/components/i18n/clock'
import { useLocale } from '@/components/i18n/locale-provider'
import { LatePart } from '@/components/layout/late-part'
import type { ConsentView, SessionView } from '@/components/lib/api-types'
import { useStepUp } from '@/components/security/use-step-up'
import { Answer } from './answer'
import { Choices } from './choices'
import { DecideBar, type Decision } from './decide-bar'
import { shownOf, subjectOf } from './shown'
import { loadPrecautions } from './unexpected'

// Fetched once the page works, so that the approval appears sooner, and can be answered when the server's scripts are
// out of reach.
const loadOutcome = () => import('./outcome')
const Outcome = lazy(() => loadOutcome().then(({ Outcome: view }) => ({ default: view })))
const loadFailure = () => import('./decision-failure')
const DecisionFailure = lazy(() => loadFailure().then(({ DecisionFailure: view }) => ({ default: view })))

const OUTCOME_POLL_MS = 3000
/** Much shorter than the idle time after which a session ends. */
const KEEP_ALIVE_MS = 60_000

interface ApproveViewProps {
  readonly id: string
  /** The approval that `facts` show. */
  readonly initial: ConsentView
  readonly facts: ReactNode
  readonly back: ReactNode
  /** Shown while the approval is open. */
  readonly notice: ReactNode
  /** Each status in the reader's language. */
  readonly statuses: ComponentProps<typeof Answer>['statuses']
  readonly passkeys: SessionView['passkeys']
}

export function ApproveView({ id, initial, facts, back, notice, statuses, passkeys }: ApproveViewProps) {
  const trpc = useTRPC()
  const proposed = initial.ask_above_minor
  const [chosen, setChosen] = useState<number | null>()
  // The rule, and with it the proposed amount, may change while the page is open.
  const askAbove = proposed === null || chosen === undefined ? proposed : chosen
  const { data: consent } = useQuery({
    ...trpc.approvals.one.queryOptions({ id }),
    initialData: initial,
    refetchInterval: ({ state }) => (awaitsOutcome(state.data) ? OUTCOME_POLL_MS : false),
  })
  const { decidedHere, deciding, failure, onDecide, onApproved } = useDecision(initial, askAbove)
  const open = useIsOpen(consent)
  const incomplete = askAbove !== proposed && askAbove === null
  useFreshFacts(initial, open ? consent : null)
  useKeepAlive(open)
  useLaterParts()
  return (
    <div className="@container w-full">
      <div className="mx-auto flex max-w-lg flex-col gap-3">
        {back}
        {open ? (
          notice
        ) : (
          <LatePart meanwhile={<Answer status={consent.status} statuses={statuses} focus={decidedHere} />}>
            <Outcome consent={consent} decidedHere={decidedHere} passkeys={passkeys} />
          </LatePart>
        )}
        <article
          aria-labelledby="request-title"
          data-decided={open ? undefined : true}
          className="group min-w-0 rounded-card border border-line bg-surface shadow-card"
        >
          {facts}
          {open ? (
            <Choices
              consent={initial}
              askAbove={askAbove}
              onNextTime={setChosen}
              incomplete={incomplete}
              onApproved={onApproved}
            />
          ) : null}
        </article>
        {open ? <DecideBar consent={initial} deciding={deciding} onDecide={onDecide} incomplete={incomplete} /> : null}
        {open && failure !== null ? (
          <LatePart>
            <DecisionFailure {...failure} />
          </LatePart>
        ) : null}
      </div>
    </div>
  )
}

/**
 * Returns the state of the decision, and the functions that decide the approval as it is shown, with the choice for the
 * next time.
 */
function useDecision(initial: ConsentView, askAbove: number | null) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [decidedHere, setDecidedHere] = useState(false)
  const [wanted, setWanted] = useState<Decision>('decline')
  const decide = useMutation(
    trpc.approvals.decide.mutationOptions({
      onSuccess: () => setDecidedHere(true),
      // Also after a refusal, since the approval may have been decided elsewhere.
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const stepUp = useStepUp()
  const { authorization_id: authorizationId } = initial
  const approve = async () => {
    const shown = shownOf(initial, askAbove)
    const subject = await subjectOf(authorizationId, shown)
    const proof = await stepUp.prove({ purpose: 'consent.approve', subject })
    decide.mutate({ authorization_id: authorizationId, decision: 'approve', shown, proof })
  }
  const onApproved = useCallback(() => {
    setDecidedHere(true)
    void queries.invalidateQueries()
  }, [queries])
  const onDecide = (decision: Decision) => {
    setWanted(decision)
    stepUp.reset()
    decide.reset()
    if (decision === 'decline') decide.mutate({ authorization_id: authorizationId, decision })
    // The step-up itself reports what failed before anything was sent.
    else approve().catch(() => undefined)
  }
  const hasFailed = decide.error !== null || stepUp.failure !== null
  const failure = hasFailed ? { error: decide.error, stepUp: stepUp.failure, onRetry: () => onDecide(wanted) } : null
  return { decidedHere, deciding: decidingNow(decide, stepUp.busy), failure, onDecide, onApproved }
}

interface Deciding {
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly variables: { readonly decision: Decision } | undefined
}

/**
 * Returns the decision that is being sent, from the passkey's prompt until the page shows the outcome; null when there
 * is none.
 */
function decidingNow(decide: Deciding, proving: boolean): Decision | null {
  if (proving) return 'approve'
  return decide.isPending || decide.isSuccess ? (decide.variables?.decision ?? null) : null
}

/** Fetches what is shown after a press. */
function useLaterParts(): void {
  const locale = useLocale()
  useEffect(() => {
    const parts = [
      loadFailure(),
      loadOutcome().then(({ loadOutcomeWords }) => loadOutcomeWords(locale)),
      loadPrecautions().then(({ loadPrecautionWords }) => loadPrecautionWords(locale)),
    ]
    // What could not be loaded is told of when it is to be shown.
    Promise.all(parts).catch(() => undefined)
  }, [locale])
}

/** Has the server render the facts again when an open approval, or its effect on the limits, is no longer as shown. */
function useFreshFacts(shown: ConsentView, known: ConsentView | null): void {
  const router = useRouter()
  const asShown = JSON.stringify(shown)
  const asKnown = known === null ? asShown : JSON.stringify(known)
  const asked = useRef(asShown)
  useEffect(() => {
    if (asKnown === asShown || asKnown === asked.current) return
    asked.current = asKnown
    router.refresh()
  }, [asKnown, asShown, router])
}

/**
 * Reads an open approval repeatedly, also in the background, which keeps the session alive until the approval expires.
 */
function useKeepAlive(open: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!open) return
    const timer = setInterval(() => {
      noteUse()
      void queries.invalidateQueries()
    }, KEEP_ALIVE_MS)
    return () => clearInterval(timer)
  }, [open, queries])
}

function useIsOpen(consent: ConsentView): boolean {
  const ranOut = useIsPast(consent.expires_at)
  return consent.status === 'pending' && !ranOut
}

/** Returns whether the outcome of an approved purchase's payment is still open. */
function awaitsOutcome(consent: ConsentView | undefined): boolean {
  if (consent?.status !== 'approved' || consent.kind !== 'payment') return false
  return consent.settlement_status !== 'succeeded'
}
