'use client'

import { useQuery } from '@tanstack/react-query'
import { ListTree } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { RequestFailure } from '@/components/ui/request-failure'
import { paymentTexts } from './payment-messages'

/** Shows proofs that the payment's audit entries are in the signed audit tree, created on request. */
export function EntryProofs({ id }: { readonly id: string }) {
  const text = useText(paymentTexts).tree
  const trpc = useTRPC()
  const proofs = useQuery({ ...trpc.payments.prove.queryOptions({ id }), enabled: false })
  const json = proofs.data === undefined ? null : JSON.stringify(proofs.data.proofs, null, 2)
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-sm text-muted">{text.hint}</p>
      {json === null ? (
        <Button variant="secondary" size="sm" busy={proofs.isFetching} onClick={() => void proofs.refetch()}>
          <ListTree aria-hidden />
          {text.show}
        </Button>
      ) : (
        <>
          <pre className="w-full whitespace-pre-wrap break-all rounded-control bg-sunken p-3 font-mono text-sm">
            {json}
          </pre>
          <CopyButton value={json} what={text.name} />
        </>
      )}
      {proofs.error === null ? null : <RequestFailure error={proofs.error} />}
    </div>
  )
}
