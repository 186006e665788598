'use client'

import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { useStepUp } from '@/components/security/use-step-up'
import { KeepFocus } from '@/components/ui/keep-focus'
import { PageHeader } from '@/components/ui/page-header'
import { ConnectForm, type Plan } from './connect-form'
import { agentsTexts } from './messages'

const loadHandOver = () => import('./hand-over').then(({ HandOver: view }) => ({ default: view }))
const HandOver = lazy(loadHandOver)

interface ConnectViewProps {
  /** The limits over all agents. */
  readonly wallet: LimitsView['limits']
}

export function ConnectView({ wallet }: ConnectViewProps) {
  const text = useText(agentsTexts).new
  const back = { href: '/agents', label: text.back }
  const trpc = useTRPC()
  // A code is shown once, so what shows it has to be there before the code is.
  const stepUp = useStepUp()
  const connect = useMutation(trpc.agents.connect.mutationOptions({ onMutate: loadHandOver }))
  const { data: connection, variables: plan } = connect
  const submit = (wanted: Plan) => {
    stepUp.prove({ purpose: 'agent.connect', subject: { ...wanted, limits: wanted.limits ?? null } }).then(
      (proof) => connect.mutate({ ...wanted, proof }),
      () => undefined,
    )
  }
  return (
    <div data-focus-scope className="contents">
      <KeepFocus />
      {connection !== undefined && plan !== undefined ? (
        <Suspense fallback={null}>
          <HandOver connection={connection} name={plan.name} back={back} onAgain={connect.reset} />
        </Suspense>
      ) : (
        <>
          <PageHeader title={text.title} description={text.description} back={back} />
          <ConnectForm
            wallet={wallet}
            busy={stepUp.busy || connect.isPending}
            failure={stepUp.failure ?? (connect.error === null ? null : { error: connect.error })}
            onSubmit={submit}
          />
        </>
      )}
    </div>
  )
}
