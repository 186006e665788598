import type { PaymentDetailView } from '@/components/lib/api-types'
import { CopyButton } from '@/components/ui/copy-button'
import { Disclosure } from '@/components/ui/disclosure'
import { Fact, Facts } from '@/components/ui/facts'
import { paymentsText } from './messages'

const text = paymentsText.one
const JWKS_PATH = '/oauth/jwks.json'

/** What shows to others that the payment was approved and made. */
export function Proof({ data }: { readonly data: PaymentDetailView }) {
  return (
    <Disclosure summary={text.proof}>
      <div className="grid gap-4">
        <p className="max-w-prose text-muted">{text.proofHint}</p>
        <Facts>
          <Fact name={text.mandate}>
            <span className="flex flex-wrap items-center gap-3">
              <code className="break-all font-mono text-sm">{data.mandate_id}</code>
              <CopyButton value={data.mandate_id} what="mandate ID" />
            </span>
          </Fact>
          {data.audit_seqs.length === 0 ? null : <Fact name={text.audit}>{data.audit_seqs.join(', ')}</Fact>}
          <Fact name={text.receipt}>
            <div className="grid justify-items-start gap-3">
              <code className="max-h-32 w-full overflow-y-auto break-all rounded-control bg-sunken p-3 font-mono text-sm">
                {data.receipt_jws}
              </code>
              <CopyButton value={data.receipt_jws} what="signed receipt" />
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
