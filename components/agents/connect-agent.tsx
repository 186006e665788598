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
  /** Where the agent runs, as far as that is known: the agent is called after it. */
  readonly host?: HostName
  /** What stands above the form. */
  readonly header?: ReactNode
  /** Where the page leads back to; left out within a page that says so itself. */
  readonly back?: { readonly href: string; readonly label: string }
}

/** Asks what the agent may do, then hands over the code for it. */
export function ConnectAgent({ wallet, host, header, back }: ConnectAgentProps) {
  const trpc = useTRPC()
  const stepUp = useStepUp()
  // A code is shown once, so what shows it has to be there before the code is.
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
