'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { TextLink } from '@/components/ui/text-link'
import { merchantsTexts } from './messages'

interface BlockMerchantProps {
  readonly audience: string
  readonly name: string
  /** Whether it is shown beside a payment to the merchant. */
  readonly besidePayment?: boolean
}

/** Blocks the merchant for all agents with one press, or says that it is blocked. */
export function BlockMerchant({ audience, name, besidePayment = false }: BlockMerchantProps) {
  const text = useText(merchantsTexts).block
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery(trpc.merchants.read.queryOptions())
  const block = useMutation(trpc.merchants.saveRule.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const isBlocked = data?.rules.some(
    ({ merchant_audience: ruled, agent_client_id: agent, verdict }) =>
      ruled === audience && agent === null && verdict === 'deny',
  )
  if (isBlocked === true) {
    return (
      <Notice
        tone="info"
        {...(block.isSuccess ? { role: 'status' as const } : {})}
        title={text.done(name)}
        action={<TextLink href="/merchants">{text.see}</TextLink>}
      >
        {besidePayment ? `${text.doneBody} ${text.paymentStays}` : text.doneBody}
      </Notice>
    )
  }
  return (
    <div className="grid justify-items-start gap-3">
      {block.isError ? <RequestFailure error={block.error} /> : null}
      <Button
        variant="secondaryDanger"
        busy={block.isPending}
        onClick={() => block.mutate({ merchant_audience: audience, verdict: 'deny' })}
      >
        {text.button}
      </Button>
    </div>
  )
}
