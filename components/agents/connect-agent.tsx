'use client'

import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTRPC } from '@/components/api/client'
import type { LimitsView } from '@/components/lib/api-types'
import { useStepUp } from '@/components/security/use-step-up'
import { ConnectForm, type Plan } from './connect-form'
import type { HostName } from './hosts'

const loadHandOver = () => import('./hand-over').then(({ HandOver: view }) => ({ default: view }))
const HandOver = lazy(loadHandOver)

interface ConnectAgentProps {
  /** The limits over all agents. */
  readonly wallet: LimitsView['limits']
  /** The program that the agent runs in, where it is known; the agent is named after it. */
  readonly host?: HostName
  /** The content above the form. */
  readonly header?: ReactNode
  /** The link back; left out within a page that has its own. */
  readonly back?: { readonly href: string; readonly label: string }
}

/** Asks what the agent may do, then shows its setup token. */
export function ConnectAgent({ wallet, host, header, back }: ConnectAgentProps) {
  const trpc = useTRPC()
  const stepUp = useStepUp()
  // A setup token is shown only once, so the component that shows it must be loaded before.
  const connect = useMutation(trpc.agents.connect.mutationOptions({ onMutate: loadHandOver }))
  const { data: connection, variables: plan } = connect
  const submit = (wanted: Plan) => {
    stepUp.prove({ purpose: 'agent.connect', subject: { ...wanted, limits: wanted.limits ?? null } }).then(
      (proof) => connect.mutate({ ...wanted, proof }),
      () => undefined,
    )
  }
  if (connection !== undefined && plan !== undefined) {
    return (
      <Suspense fallback={null}>
        <HandOver connection={connection} name={plan.name} host={host?.id} back={back} onAgain={connect.reset} />
      </Suspense>
    )
  }
  return (
    <>
      {header}
      <ConnectForm
        wallet={wallet}
        name={host?.name ?? ''}
        busy={stepUp.busy || connect.isPending}
        failure={stepUp.failure ?? (connect.error === null ? null : { error: connect.error })}
        onSubmit={submit}
      />
    </>
  )
}
