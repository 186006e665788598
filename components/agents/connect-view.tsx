'use client'

import { useMutation } from '@tanstack/react-query'
import { useText } from '@/components/i18n/locale-provider'
import { PageHeader } from '@/components/ui/page-header'
import { useTRPC } from '@/server/trpc/client'
import { ConnectForm } from './connect-form'
import { HandOver } from './hand-over'
import { agentsTexts } from './messages'

export function ConnectView() {
  const text = useText(agentsTexts).new
  const back = { href: '/agents', label: text.back }
  const trpc = useTRPC()
  const connect = useMutation(trpc.agents.connect.mutationOptions())
  const { data: connection, variables: plan } = connect
  if (connection !== undefined && plan !== undefined) {
    return <HandOver connection={connection} name={plan.name} back={back} onAgain={connect.reset} />
  }
  return (
    <>
      <PageHeader title={text.title} description={text.description} back={back} />
      <ConnectForm busy={connect.isPending} error={connect.error} onSubmit={(wanted) => connect.mutate(wanted)} />
    </>
  )
}
