import { BadgeCheck, CircleHelp } from 'lucide-react'
import type { TextOf } from '@/components/i18n/texts'
import type { MerchantView } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { Badge } from '@/components/ui/badge'
import { Card, Section } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { Moment } from '@/components/ui/moment'
import { PageHeader } from '@/components/ui/page-header'
import { SectionLink } from '@/components/ui/text-link'
import { MerchantAddress } from './merchant-row'
import type { verificationTexts } from './verification-messages'

interface MerchantPageProps {
  readonly merchant: MerchantView
  /** The name of its country. */
  readonly country: string
  readonly text: TextOf<typeof verificationTexts>
}

/** Shows who a merchant is, and why it is verified or not. Rendered on the server: it has no controls. */
export function MerchantPage({ merchant, country, text }: MerchantPageProps) {
  return (
    <>
      <PageHeader title={plainName(merchant.merchant_name)} back={{ href: '/merchants', label: text.back }} />
      <Card>
        <Facts>
          <Fact name={text.address}>
            <MerchantAddress audience={merchant.merchant_audience} />
          </Fact>
          <Fact name={text.country}>
            <bdi>{country}</bdi>
          </Fact>
        </Facts>
      </Card>
      <Section id="verification" title={text.title}>
        <Card className="grid gap-4">
          <Verification verification={merchant.verification} text={text} />
        </Card>
      </Section>
      <p>
        <SectionLink href={`/payments?merchant=${encodeURIComponent(merchant.merchant_audience)}`}>
          {text.payments}
        </SectionLink>
      </p>
    </>
  )
}

function Verification({ verification, text }: Pick<MerchantView, 'verification'> & Pick<MerchantPageProps, 'text'>) {
  const { refusal, since, entity_id: entityId } = verification
  const isVerified = refusal === null
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge icon={isVerified ? BadgeCheck : CircleHelp} tone={isVerified ? 'success' : 'warning'}>
          {isVerified ? text.verified : text.notVerified}
        </Badge>
        {since === null ? null : (
          <span className="text-sm text-muted">
            {text.since} <Moment at={since} style="long" />
          </span>
        )}
      </p>
      <p>{isVerified ? (entityId === null ? text.byOperator : text.byFederation) : text.reasons[refusal]}</p>
      {isVerified || entityId === null ? null : <p className="text-sm text-muted">{text.noNew}</p>}
      {entityId === null ? null : (
        <Facts>
          <Fact name={text.entity}>
            <MerchantAddress audience={entityId} />
          </Fact>
        </Facts>
      )}
    </>
  )
}
