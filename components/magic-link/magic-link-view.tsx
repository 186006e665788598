'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { readOrigin } from '@/components/lib/origin'
import { plainName } from '@/components/lib/plain-text'
import { Fact, Facts, Words } from '@/components/mailed-link/link-words'
import { Button, ButtonLink } from '@/components/ui/button'
import type { MagicLinkView as MagicLink } from '@/server/transport/trpc/public-pages'
import { magicLinkTexts } from './messages'

interface MagicLinkViewProps {
  readonly token: string
  readonly link: MagicLink
}

export function MagicLinkView({ token, link }: MagicLinkViewProps) {
  const text = useText(magicLinkTexts)
  if (link === null) return <Words title={text.gone.title} body={text.gone.body} />
  if (link.used) {
    return (
      <>
        <Words title={text.used.title} body={text.used.body} />
        <ButtonLink href="/agents" variant="secondary">
          {text.used.agents}
        </ButtonLink>
      </>
    )
  }
  return <Question token={token} link={link} />
}

/** Asks for confirmation. The page contains no address that confirms, since scanners and prefetchers follow links. */
function Question({ token, link: { agent, email, payment } }: { token: string; link: NonNullable<MagicLink> }) {
  const format = useFormat()
  const text = useText(magicLinkTexts)
  const [leaving, setLeaving] = useState(false)
  const confirm = () => {
    setLeaving(true)
    window.location.assign(`/oauth/magic-link/confirm?${new URLSearchParams({ token }).toString()}`)
  }
  const title =
    payment === null ? text.wallet.title : text.payment.title(format.money(payment.amount_minor, payment.currency))
  return (
    <>
      <Words title={title} body={text.body} />
      <Facts>
        {payment === null ? null : <Fact name={text.payment.to}>{placeOf(payment.merchant_audience)}</Fact>}
        <Fact name={text.payment.by}>{plainName(agent)}</Fact>
        {email === null ? null : <Fact name={text.whose}>{email}</Fact>}
      </Facts>
      <Button size="lg" busy={leaving} onClick={confirm}>
        {text.submit}
      </Button>
      <p className="text-sm text-muted">{text.leave}</p>
    </>
  )
}

/** Returns origin and path, since several merchants may share one origin. */
function placeOf(audience: string): string {
  const { text: origin, path } = readOrigin(audience)
  return origin + path
}
