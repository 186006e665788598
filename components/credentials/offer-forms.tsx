'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { CredentialOfferView } from '@/components/lib/api-types'
import { buttonVariants } from '@/components/ui/button-variants'
import { CopyButton } from '@/components/ui/copy-button'
import { QrCode } from '@/components/ui/qr-code'
import { credentialsTexts } from './messages'

/**
 * Shows the offer as a QR code for another device and as a link for this one, and the transaction code, which neither
 * contains.
 */
export function OfferForms({ offer }: { readonly offer: CredentialOfferView }) {
  const text = useText(credentialsTexts).offer
  return (
    <div className="grid gap-6 md:grid-cols-[auto_minmax(0,1fr)]">
      {/* A phone cannot scan its own screen. */}
      <div className="hidden content-start gap-2 sm:grid">
        <p className="text-muted">{text.scan}</p>
        <QrCode svg={offer.qr_svg} alt={text.qr} className="size-72 p-3" />
      </div>
      <div className="grid min-w-0 content-start gap-5">
        <div className="grid justify-items-start gap-2">
          <p className="text-muted max-sm:hidden">{text.open}</p>
          <p className="text-muted sm:hidden">{text.openHere}</p>
          <a href={offer.deep_link} className={buttonVariants({ variant: 'secondary' })}>
            {text.button}
          </a>
        </div>
        <div className="grid justify-items-start gap-2">
          <h4 className="text-muted">{text.code}</h4>
          <p className="flex flex-wrap items-center gap-3">
            <code
              dir="ltr"
              translate="no"
              className="rounded-control bg-sunken px-4 py-2 font-mono text-2xl tracking-widest tabular-nums"
            >
              {offer.tx_code}
            </code>
            <CopyButton value={offer.tx_code} what={text.code} />
          </p>
          <p className="text-sm text-muted">{text.codeHint}</p>
        </div>
      </div>
    </div>
  )
}
