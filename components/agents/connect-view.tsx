'use client'

import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { KeepFocus } from '@/components/ui/keep-focus'
import { PageHeader } from '@/components/ui/page-header'
import { ConnectForm } from './connect-form'
import { agentsTexts } from './messages'

const loadHandOver = () => import('./hand-over').then(({ HandOver: view }) => ({ default: view }))
const HandOver = lazy(loadHandOver)

export function ConnectView() {
  const text = useText(agentsTexts).new
  const back = { href: '/agents', label: text.back }
  const trpc = useTRPC()
  // A code is shown once, so what shows it has to be there before the code is.
  const connect = useMutation(trpc.agents.connect.mutationOptions({ onMutate: loadHandOver }))
  const { data: connection, variables: plan } = connect
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
          <ConnectForm busy={connect.isPending} error={connect.error} onSubmit={(wanted) => connect.mutate(wanted)} />
        </>
      )}
    </div>
  )
}
