'use client'

import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { activityEntryLink } from '@/components/activity/filter'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PaymentDetailView, ReceiptVerdict } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Disclosure } from '@/components/ui/disclosure'
import { Fact, Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { LineLink } from '@/components/ui/text-link'
import { EntryProofs } from './entry-proofs'
import { paymentTexts } from './payment-messages'

const JWKS_PATH = '/oauth/jwks.json'

/** Shows the proofs for others that the payment was approved and made. */
export function Proof({ data }: { readonly data: PaymentDetailView }) {
  const text = useText(paymentTexts)
  const trpc = useTRPC()
  const id = data.payment.payment_intent_id
  // Runs only when the button is pressed.
  const check = useQuery({ ...trpc.payments.verifyReceipt.queryOptions({ id }), enabled: false })
  return (
    <Disclosure summary={text.proof}>
      <div className="grid gap-4">
        <p className="max-w-prose text-muted">{text.proofHint}</p>
        <Facts>
          <Fact name={text.mandate}>
            <span className="flex flex-wrap items-center gap-3">
              <code className="break-all font-mono text-sm">{data.mandate_id}</code>
              <CopyButton value={data.mandate_id} what={text.mandate} />
            </span>
          </Fact>
          {data.audit_seqs.length === 0 ? null : (
            <Fact name={text.audit}>
              <div className="grid gap-3">
                <span className="flex flex-wrap gap-4">
                  {data.audit_seqs.map((seq) => (
                    <LineLink key={seq} href={activityEntryLink(seq)}>
                      {text.auditEntry(seq)}
                    </LineLink>
                  ))}
                </span>
                <EntryProofs id={id} />
              </div>
            </Fact>
          )}
          <Fact name={text.receipt}>
            <div className="grid justify-items-start gap-3">
              <code className="w-full break-all rounded-control bg-sunken p-3 font-mono text-sm">
                {data.receipt_jws}
              </code>
              <div className="flex flex-wrap gap-3">
                <CopyButton value={data.receipt_jws} what={text.receipt} />
                <Button variant="secondary" size="sm" busy={check.isFetching} onClick={() => void check.refetch()}>
                  <ShieldCheck aria-hidden />
                  {text.verify}
                </Button>
              </div>
              <ReceiptNotice verdict={check.data} />
              {check.error === null ? null : <RequestFailure error={check.error} />}
            </div>
          </Fact>
          <Fact name={text.keys}>
            <a href={JWKS_PATH} className="font-medium text-accent underline underline-offset-4">
              {JWKS_PATH}
            </a>
          </Fact>
        </Facts>
      </div>
    </Disclosure>
  )
}

function ReceiptNotice({ verdict }: { readonly verdict: ReceiptVerdict | undefined }) {
  const text = useText(paymentTexts)
  if (verdict === undefined) return null
  const { title, body } = text.verdict[verdict.verdict]
  return (
    <Notice tone={verdict.verdict === 'valid' ? 'success' : 'danger'} role="status" title={title}>
      <p>{body}</p>
      {verdict.kid === null ? null : (
        <p className="text-sm text-muted">
          {text.key} <code className="break-all font-mono">{verdict.kid}</code>
        </p>
      )}
    </Notice>
  )
}
