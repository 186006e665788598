'use client'

import { CircleMinus, Hourglass, type LucideIcon, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { ActivityProof } from '@/components/lib/api-types'
import { Badge, type Tone } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import { Moment } from '@/components/ui/moment'
import { activityTexts } from './messages'

const JWKS_PATH = '/oauth/jwks.json'

const looks: Readonly<Record<ActivityProof['verdict'], { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  verified: { icon: ShieldCheck, tone: 'success' },
  unsigned: { icon: Hourglass, tone: 'neutral' },
  broken: { icon: ShieldAlert, tone: 'danger' },
  nothing: { icon: CircleMinus, tone: 'neutral' },
}

/** Shows whether the entries on the page are as they were recorded, and how far that was checked. */
export function ChainProof({ proof }: { readonly proof: ActivityProof }) {
  const text = useText(activityTexts).proof
  const { icon, tone } = looks[proof.verdict]
  const { checkpoint } = proof
  return (
    <Card className="grid gap-3 pb-3 sm:pb-4">
      <Badge icon={icon} tone={tone}>
        {proof.verdict === 'unsigned' ? text.unsignedTitle : text[proof.verdict]}
      </Badge>
      <p className="max-w-prose">{describeProof(proof, text)}</p>
      {checkpoint?.signature_valid === true ? (
        <p className="text-sm text-muted">
          {text.signed} <Moment at={checkpoint.signed_at} style="long" />
        </p>
      ) : null}
      <Disclosure look="inline" summary={text.how}>
        <p className="max-w-prose text-muted">
          {text.explanation}{' '}
          <a href={JWKS_PATH} className="font-medium text-accent underline underline-offset-4">
            {text.keys}
          </a>
        </p>
      </Disclosure>
    </Card>
  )
}

function describeProof(proof: ActivityProof, text: TextOf<typeof activityTexts>['proof']): string {
  const { checkpoint, checked, run, verdict } = proof
  if (verdict === 'broken') return checkpoint?.signature_valid === false ? text.badSignature : text.some
  const entries = checked === 0 ? [] : [text.entries(checked)]
  if (checkpoint === null) return [...entries, text.noHead].join(' ')
  const runs = { intact: text.intact(checkpoint.seq), too_long: text.tooLong(checkpoint.seq), unsigned: text.unsigned }
  return [...entries, ...(checked === 0 || run === 'broken' ? [] : [runs[run]])].join(' ')
}
