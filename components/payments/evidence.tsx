'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Card, Section } from '@/components/ui/card'
import { DownloadLink } from '@/components/ui/download-link'
import { TextLink } from '@/components/ui/text-link'
import { paymentTexts } from './payment-messages'

/** Offers the evidence file for the bank that decides about the payment, and links to the page that checks it. */
export function Evidence({ paymentId }: { readonly paymentId: string }) {
  const text = useText(paymentTexts).evidence
  return (
    <Section id="evidence" title={text.title}>
      <Card className="grid justify-items-start gap-4">
        <p className="max-w-prose text-muted">{text.hint}</p>
        <DownloadLink href={`/evidence.json?id=${encodeURIComponent(paymentId)}`}>{text.get}</DownloadLink>
        <TextLink href="/verify" prefetch={false}>
          {text.check}
        </TextLink>
      </Card>
    </Section>
  )
}
