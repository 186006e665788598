'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Card, Section } from '@/components/ui/card'
import { DownloadLink } from '@/components/ui/download-link'
import { TextLink } from '@/components/ui/text-link'
import { paymentTexts } from './payment-messages'

/** One file for the bank that has to decide about the payment, and where it can be checked. */
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
